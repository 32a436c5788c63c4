/**
 * Loaded (`--import`) before a program whose wrapper keeps running: ends the program as SIGTERM would when the wrapper
 * exits, even if the wrapper is killed and cannot send a signal. Only the wrapper's own child has the variable, not its
 * children.
 */
// eslint-disable-next-line no-restricted-properties -- set by the wrapper only
const { env, channel } = process
if (channel && env.DROPLEAF_WRAPPED === '1') {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel to the wrapper must not keep the process running.
  channel.unref()
}
delete env.DROPLEAF_WRAPPED
