import { runCli } from './cli.ts'
import { processEnvironment } from './environment.ts'

// The reader can close the pipe early, as in `dropleaf list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const isEnough = error.code === 'EPIPE'
  if (!isEnough) process.stderr.write(`${error.message}\n`)
  // oxlint-disable-next-line unicorn/no-process-exit -- there is no reader left
  process.exit(isEnough ? 0 : 1)
})

/** Entry point of the command line, started by `packaging/dropleaf.mjs`, or directly in a checkout. */
process.exitCode = await runCli(process.argv.slice(2), processEnvironment())
