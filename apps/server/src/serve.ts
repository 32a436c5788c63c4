import cluster from 'node:cluster'
import { networkInterfaces } from 'node:os'
import { type Logger, pino } from 'pino'
import { buildApp } from './app.ts'
import { loadConfig } from './config/config.ts'
import { DataDirInUseError } from './config/data-dir-lock.ts'
import { ConfigError } from './config/define.ts'
import { createContext } from './context.ts'
import { prepare } from './first-start.ts'
import { returnStartupMemory } from './lib/memory.ts'
import { leaveSupervisor, sayReady, speaksForAll, superviseWorkers } from './workers/supervisor.ts'

/** After the first requests, so that none of them waits for it. */
const MEMORY_RETURN_DELAY_MS = 1000

const LOG_BUFFER_BYTES = 4096
const LOG_FLUSH_MS = 100

/** Whoever reads our output may go away (`npm start | head`); the server goes on. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

/** Lines for the person at the console, beside the structured log. */
function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function addressesFor(host: string, port: number): string[] {
  if (host !== '0.0.0.0' && host !== '::')
    return [`http://${host.includes(':') ? `[${host}]` : host}:${port}`]
  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((address) => address.family === 'IPv4' && !address.internal)
    .map((address) => `http://${address.address}:${port}`)
  return [`http://localhost:${port}`, ...others]
}

/** Lines go out together, a moment after they are written: to wake a reader for each costs as much as a small request. */
function openLog(level: string): Logger {
  const destination = pino.destination({ minLength: LOG_BUFFER_BYTES, periodicFlush: LOG_FLUSH_MS })
  process.on('exit', () => destination.flushSync())
  const redact = ['req.headers.authorization', 'password', 'token', '*.password', '*.token']
  return pino({ level, redact }, destination)
}

async function start(): Promise<void> {
  outliveReaders()
  // eslint-disable-next-line no-restricted-properties -- the one place where the environment is read
  const config = loadConfig(process.env)
  if (config.workers > 1 && cluster.isPrimary) return superviseWorkers(config.workers)
  const log = openLog(config.logLevel)
  const ctx = await createContext(config, log)
  const generatedPassword = await prepare(ctx)
  const app = await buildApp(ctx)
  await app.listen({ port: config.port, host: config.host })
  ctx.jobs.start()
  await ctx.tasks.start({ isAlone: ctx.database.engine === 'sqlite' })
  setTimeout(returnStartupMemory, MEMORY_RETURN_DELAY_MS).unref()

  sayReady()
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound ? bound.port : config.port
  if (speaksForAll()) say(['', `  Dropleaf is ready. Open ${addressesFor(config.host, port).join('  or  ')}`])
  // Only the first process of all finds no administrator.
  if (generatedPassword !== null) {
    say([
      '',
      `  Administrator: ${config.adminUsername}`,
      `  Password:      ${generatedPassword}`,
      '  It is shown this once. Change it after logging in.',
    ])
  }
  if (speaksForAll()) say([''])

  let isStopping = false
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping: requests in flight may finish')
    const force = setTimeout(() => app.server.closeAllConnections(), config.shutdownSeconds * 1000)
    await app.close()
    clearTimeout(force)
    await ctx.close()
    leaveSupervisor()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal))
}

try {
  await start()
} catch (error) {
  if (error instanceof ConfigError || error instanceof DataDirInUseError)
    process.stderr.write(`${error.message}\n`)
  else
    process.stderr.write(
      `Dropleaf cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
  process.exitCode = 1
}
