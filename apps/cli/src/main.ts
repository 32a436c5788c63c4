import { runCli } from './cli.ts'
import { processEnvironment } from './environment.ts'

// Whoever reads may have seen enough (`dropleaf list | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const isEnough = error.code === 'EPIPE'
  if (!isEnough) process.stderr.write(`${error.message}\n`)
  // oxlint-disable-next-line unicorn/no-process-exit -- nobody is told anything any more
  process.exit(isEnough ? 0 : 1)
})

/** The command line; started by `packaging/dropleaf.mjs`, or as it is in a checkout. */
process.exitCode = await runCli(process.argv.slice(2), processEnvironment())
