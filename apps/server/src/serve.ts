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

/** Nothing but its last lines keeps a process that long after its end: whoever has the log open does not read it. */
const LOG_PATIENCE_MS = 5000

/** A terminal and `npm` both tell of one Ctrl+C. A signal after it is from somebody who does not want to wait any longer. */
const SAME_WORD_MS = 1000

/** Whoever reads our output may go away (`npm start | head`); the server goes on. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

/** Lines for the person at the console, beside the structured log. */
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

/** @throws {StartError} where nobody can listen; nothing of the app is left open then. */
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
    // What is open would keep a process that serves nobody, and that nobody starts again.
    await ctx.close()
    throw error
  }
}

/** @throws {ConfigError} for what somebody says here, and would take for done. */
function requireNoArguments(args: readonly string[]): void {
  if (args.length === 0) return
  throw new ConfigError([
    `${args.join(' ')}: the server takes no arguments. Variables of the environment set it up, such as PORT and DATA_DIR.`,
  ])
}

/** @throws {ConfigError} where the folder that is named holds no web app; one that is not named may be missing in a checkout. */
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

  // Whoever hears that it is ready may tell it to stop.
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
  // What the log has gathered comes before, not around what is to be copied.
  await flushed(log)
  if (speaksForAll()) say(['', `  Dropleaf is ready. Open ${addressesFor(host, port).join('  or  ')}`])
  // Whichever process it is: the first may have ended before it came to this.
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
  // Only now do other processes begin, to which there is nothing left to show.
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
