import { execFileSync, spawn } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownFolder } from './undo.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Links third-party packages to the working tree, and packages of this repository to the copy. */
function linkPackages(folder: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name === '@dropleaf')
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else if (!name.startsWith('.') || name === '.bin') symlinkSync(join(from, name), join(to, name))
  }
}

/**
 * Copies the sources, including uncommitted changes, so that the copy can be changed and run. The copy is removed
 * when the process exits.
 */
export function copySources(): string {
  // The copy is inside the working tree, so that a build finds the packages.
  const cache = join(ROOT, '.cache')
  mkdirSync(cache, { recursive: true })
  const { path } = ownFolder(cache)
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  for (const name of listed.split('\0').filter(Boolean)) {
    if (!lstatSync(join(ROOT, name), { throwIfNoEntry: false })) continue
    mkdirSync(dirname(join(path, name)), { recursive: true })
    cpSync(join(ROOT, name), join(path, name), { verbatimSymlinks: true })
  }
  linkPackages(path)
  return path
}

interface Run {
  readonly folder: string
  readonly env?: NodeJS.ProcessEnv
  readonly limitMs: number
}

/** Runs a program until it ends or reaches its time limit, and returns its output. */
export function runIn(
  [program, ...args]: readonly [string, ...string[]],
  { folder, env = {}, limitMs }: Run,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    })
    const parts: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output: Buffer.concat(parts).toString('utf8') }))
  })
}
