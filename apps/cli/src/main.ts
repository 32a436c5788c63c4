import { runCli } from './cli.ts'
import { processEnvironment } from './environment.ts'

/** The command line; started by `packaging/dropleaf.mjs`, or as it is in a checkout. */
process.exitCode = await runCli(process.argv.slice(2), processEnvironment())
