/**
 * Loaded with `--import` before a program whose wrapper keeps running. Ends the program, as SIGTERM would, when the
 * wrapper exits. This works even if the wrapper is killed and cannot send a signal. The wrapper sets
 * `DROPLEAF_WRAPPED`. This module deletes the variable, so that it does not apply to children of the program.
 */
// eslint-disable-next-line no-restricted-properties -- set by the wrapper only
const { env, channel } = process
if (channel && env.DROPLEAF_WRAPPED === '1') {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel to the wrapper must not keep the process running.
  channel.unref()
}
delete env.DROPLEAF_WRAPPED
