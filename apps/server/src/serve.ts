import cluster from 'node:cluster'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Config, loadConfig, renamedSettings } from './config/config.ts'
import { ConfigError } from './config/define.ts'
import { type AppContext, createContext } from './context.ts'
import { type FirstLogin, forgetFirstLogin } from './features/foundation/identity/auth.usecases.ts'
import { prepare } from './first-start.ts'
import { hasWebApp } from './http/bodies/web-app.ts'
import { addressesFor, EVERY_HOST, everyHost } from './lib/listening.ts'
import { flushed, openLog } from './lib/log.ts'
import { sentenceOf, StartError } from './lib/start-error.ts'
import {
  leaveSupervisor,
  sayReady,
  speaksForAll,
  superviseWorkers,
  STOP_SIGNALS,
} from './workers/supervisor.ts'

/** How long the exit waits for the last log lines if the reader of the log has stalled. */
const LOG_PATIENCE_MS = 5000

/**
 * Signals within this time count as one, because a terminal and `npm` both forward the same Ctrl+C. A later signal
 * means that the operator does not want to wait.
 */
const SAME_WORD_MS = 1000

/** Keeps the server running when the reader of its output exits, for example with `npm start | head`. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

/** Prints lines for the operator, in addition to the structured log. */
function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function whyNotListening(error: unknown, { host, port }: { host: string; port: number }): string | null {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${EVERY_HOST.has(host) ? 'this machine' : host} is in use. Stop what listens there, or set PORT.`
  if (code === 'EACCES')
    return `This user may not listen on port ${port}. Set PORT to another one, from 1024 on.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine. Set HOST to one that is, or leave it out.`
  return null
}

/** @throws {StartError} if the address cannot be used. The app is then already closed */
async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (cause) {
    await app.close()
    const why = whyNotListening(cause, { host, port })
    throw why === null ? cause : new StartError(why, { cause })
  }
}

interface OpenServer {
  readonly app: FastifyInstance
  readonly host: string
  readonly firstLogin: FirstLogin | null
}

async function openServer(ctx: AppContext): Promise<OpenServer> {
  try {
    const firstLogin = await prepare(ctx)
    const app = await buildApp(ctx)
    const host = ctx.config.host ?? (await everyHost())
    await listen(app, { host, port: ctx.config.port })
    return { app, host, firstLogin }
  } catch (error) {
    // Closes the open resources, because they would keep this process alive without serving requests.
    await ctx.close()
    throw error
  }
}

/** @throws {ConfigError} for arguments, which the server would otherwise silently ignore */
function requireNoArguments(args: readonly string[]): void {
  if (args.length === 0) return
  throw new ConfigError([
    `${args.join(' ')}: the server takes no arguments. Variables of the environment set it up, such as PORT and DATA_DIR.`,
  ])
}

/**
 * @throws {ConfigError} if a configured folder contains no web app. The default folder is optional, because a checkout
 * might not contain it.
 */
function requireWebApp({ webRoot }: Config): void {
  if (webRoot !== null && !hasWebApp(webRoot))
    throw new ConfigError([
      `WEB_ROOT: there is no index.html in ${webRoot}. Name the folder of the built web app.`,
    ])
}

async function start(): Promise<void> {
  outliveReaders()
  requireNoArguments(process.argv.slice(2))
  // eslint-disable-next-line no-restricted-properties -- the one place where the environment is read
  const { env } = process
  const config = loadConfig(env)
  requireWebApp(config)
  if (config.workers > 1 && cluster.isPrimary) return superviseWorkers(config.workers)
  const log = openLog(config.logLevel)
  for (const sentence of renamedSettings(env)) log.warn(sentence)
  const ctx = await createContext(config, log)
  const { app, host, firstLogin } = await openServer(ctx)
  ctx.jobs.start()
  await ctx.tasks.start({ isAlone: ctx.database.engine === 'sqlite' })

  // Signals are handled before the server reports that it is ready, because a process that waits for this report can
  // stop the server immediately.
  let stoppingSinceMs: number | null = null
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (stoppingSinceMs !== null) {
      const isAnotherWord = performance.now() - stoppingSinceMs > SAME_WORD_MS
      if (isAnotherWord) app.server.closeAllConnections()
      return
    }
    stoppingSinceMs = performance.now()
    log.info({ signal }, 'stopping: requests in flight may finish')
    const force = setTimeout(() => app.server.closeAllConnections(), config.shutdownSeconds * 1000)
    await app.drain()
    await app.close()
    clearTimeout(force)
    await ctx.close()
    leaveSupervisor()
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), LOG_PATIENCE_MS).unref()
  }
  for (const signal of STOP_SIGNALS) process.on(signal, () => void stop(signal))

  const bound = app.server.address()
  const port = typeof bound === 'object' && bound ? bound.port : config.port
  // Flushes the log first, so that its lines do not mix with the password.
  await flushed(log)
  if (speaksForAll()) say(['', `  Dropleaf is ready. Open ${addressesFor(host, port).join('  or  ')}`])
  // Any worker can show the password, because the first worker might already have exited.
  if (firstLogin !== null) {
    say([
      '',
      `  Administrator: ${firstLogin.username}`,
      '  It is shown this once; change it after logging in. Password:',
      '',
      firstLogin.password,
    ])
    await forgetFirstLogin(ctx)
  }
  if (speaksForAll()) say([''])
  // Other workers start only now, after the password has been shown.
  sayReady()
}

try {
  await start()
} catch (error) {
  const where = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const text =
    error instanceof StartError ? error.message : `Dropleaf cannot start: ${sentenceOf(error) ?? where}`
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
  leaveSupervisor()
}
