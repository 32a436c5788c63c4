/**
 * Loaded before a program whose wrapper stays beside it (`--import`): ends the program as SIGTERM does once the wrapper is gone, be it
 * by a kill, of which that could tell nobody. Only the wrapper's own child has the variable: what it starts is its own affair.
 */
// eslint-disable-next-line no-restricted-properties -- from the wrapper alone
const { env, channel } = process
if (channel && env.DROPLEAF_WRAPPED === '1') {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The line to the wrapper keeps nobody running.
  channel.unref()
}
delete env.DROPLEAF_WRAPPED
