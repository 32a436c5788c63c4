import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import nodeFlags from '../../../../packaging/node-flags.json' with { type: 'json' }

/**
 * Returns the path of an executable file: from the server bundle that `npm test` names in `SERVER_BUNDLE`, or else from
 * the sources.
 * @param name file name in the bundle, without extension
 * @param source the corresponding source file
 */
export function executable(name: string, source: URL): string {
  const { SERVER_BUNDLE: bundle } = process.env
  return bundle === undefined ? fileURLToPath(source) : join(bundle, `${name}.js`)
}

/** Flags of Node.js with which the server runs everywhere. */
export const NODE_FLAGS: readonly string[] = nodeFlags

export const serverMain = (): string => executable('main', new URL('../main.ts', import.meta.url))

/** A server in a separate process, which tests can kill. */
export interface ServerProcess {
  readonly process: ChildProcess
  readonly api: string
}

/** Starts a server on a free port, and waits until it listens. The server logs only errors. */
export async function startServer(env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...NODE_FLAGS, serverMain()], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /Open (http:\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(`The server did not start:\n${output}`)))
  })
  return { process: child, api: `${address}/api` }
}

/** Stops a server, and waits until its process has exited. */
export async function endServer(server: ServerProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const gone = once(server.process, 'exit')
  server.process.kill(signal)
  await gone
}

export interface CommandRun {
  readonly process: ChildProcess
  readonly done: Promise<{ code: number | null; output: string }>
}

/** The same folder as in `scripts/command.mjs`. */
const NODE_COMPILE_CACHE = join(tmpdir(), 'node-compile-cache')

/** Runs a console command in a separate process. */
export function startCommand(
  name: string,
  {
    args = [],
    env,
    input,
  }: { args?: readonly string[]; env: Record<string, string>; input?: string | undefined },
): CommandRun {
  const file = executable(name, new URL(`../commands/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE, LOG_LEVEL: 'error', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const done = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }))
  })
  return { process: child, done }
}
