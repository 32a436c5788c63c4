import { type ChildProcess, execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Cleans up when a program ends normally, after a failure, or on SIGINT, SIGTERM or SIGHUP. First deletes everything
 * that was created on a running server, which takes a while. A second signal skips this deletion. Then kills child
 * processes and their children, and removes folders.
 */

const FAR_LIMIT_MS = 600_000
const GONE_LIMIT_MS = 5000
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Ends the program with exit code 2 and a message for the user. */
export function refuse(line: string): never {
  throw new Refusal(line)
}

const steps: (() => void)[] = []
const farSteps = new Set<() => Promise<void>>()

/**
 * Registers a step that runs when the process exits, after its children are dead. The last registered step runs
 * first.
 */
export const atExit = (step: () => void): void => void steps.push(step)

/**
 * Returns a function that runs `step` only once. The step runs when the function is called, or earlier on a signal or
 * failure.
 */
export function undoing(step: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  const once = () => {
    done ??= step().finally(() => farSteps.delete(once))
    return done
  }
  farSteps.add(once)
  return once
}

const remove = (path: string) => rmSync(path, { recursive: true, force: true, maxRetries: 10 })

/** Creates a folder that is removed when it is disposed or the process exits. */
export function ownFolder(parent = tmpdir()): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(parent, 'dropleaf-bench-'))
  atExit(() => remove(path))
  return { path, [Symbol.dispose]: () => remove(path) }
}

const execute = promisify(execFile)
const clients = new Set<ChildProcess>()

/** Runs a client program. If this program is stopped, it stops its clients first. */
export async function run(
  program: string,
  args: readonly string[],
): Promise<{ stdout: string; stderr: string }> {
  const running = execute(program, args)
  clients.add(running.child)
  try {
    return await running
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') refuse(`${program} is missing: install it first.`)
    throw error
  } finally {
    clients.delete(running.child)
  }
}

function readNow(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function descendantsOf(pid: number): number[] {
  const texts = tasksOf(pid).map((task) => readNow(`/proc/${pid}/task/${task}/children`))
  const children = texts.flatMap((text) => text.split(' ').filter(Boolean).map(Number))
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

function isAlive(pid: number): boolean {
  const stat = readNow(`/proc/${pid}/stat`)
  return stat !== '' && stat[stat.lastIndexOf(')') + 2] !== 'Z'
}

/** Kills processes and waits until they have ended, at most 5 seconds. */
export function killNow(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  const pause = new Int32Array(new SharedArrayBuffer(4))
  const deadline = performance.now() + GONE_LIMIT_MS
  while (pids.some(isAlive) && performance.now() < deadline) Atomics.wait(pause, 0, 0, 10)
}

let isLeaving = false

async function leave(code: number): Promise<void> {
  isLeaving = true
  // Suppresses the output of code that still runs until the exit, because its results are not valid measurements.
  console.log = () => undefined
  // Stops clients first, so that they create nothing during the deletion. The deletion can still need a gateway.
  killNow([...clients].flatMap(({ pid = 0 }) => (pid === 0 ? [] : [pid, ...descendantsOf(pid)])))
  if (farSteps.size > 0) console.error('Removing the data created on the server; another signal skips this.')
  const limit = new Promise((resolve) => setTimeout(resolve, FAR_LIMIT_MS)).then(() =>
    console.error('The removal takes too long: some data stays there.'),
  )
  await Promise.race([Promise.allSettled([...farSteps].map((step) => step())), limit])
  process.exit(code)
}

for (const [signal, code] of Object.entries(SIGNALS))
  process.on(signal, () => {
    if (isLeaving) process.exit(code)
    void leave(code)
  })
process.on('uncaughtException', (error) => {
  // Ignores failures during the cleanup, because the cleanup causes them.
  if (isLeaving) return
  const isRefusal = error instanceof Refusal
  console.error(isRefusal ? error.message : error)
  void leave(isRefusal ? 2 : 1)
})
process.on('exit', () => {
  killNow(descendantsOf(process.pid))
  for (const step of steps.toReversed())
    try {
      step()
    } catch (error) {
      console.error(error)
    }
})
