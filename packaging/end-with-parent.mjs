/**
 * Loaded (`--import`) before a program whose wrapper keeps running. When the wrapper exits, ends the program like
 * SIGTERM would, even if the wrapper is killed and cannot send a signal. Only the direct child of the wrapper has the
 * variable; its own children do not.
 */
// eslint-disable-next-line no-restricted-properties -- set by the wrapper only
const { env, channel } = process
if (channel && env.DROPLEAF_WRAPPED === '1') {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel to the wrapper must not keep the process running.
  channel.unref()
}
delete env.DROPLEAF_WRAPPED
