import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import type { TestApp } from './app.ts'
import { listen } from './drive.ts'

export const run = promisify(execFile)
export const clients = inject('driveClients')

/** Creates a folder that is deleted when it is disposed. */
export async function temporary(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'dropleaf-drive-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Creates an API key and returns it as user name and password. */
export async function keyFor(t: TestApp) {
  const { key } = await t.keyClient({ mount_permission: true })
  return { user: 'anyone', password: key }
}

/** Returns a function that runs rclone on the drive. */
export async function rcloneFor(
  t: TestApp,
  { folder, mountPath }: { folder: string; mountPath: string },
): Promise<(...args: string[]) => Promise<void>> {
  const { user, password } = await keyFor(t)
  const { stdout } = await run(clients.rclone ?? '', ['obscure', password])
  const config = join(folder, 'rclone.conf')
  const lines = ['[drive]', 'type = webdav', `url = ${await listen(t)}${mountPath}`]
  await writeFile(
    config,
    [...lines, 'vendor = owncloud', `user = ${user}`, `pass = ${stdout.trim()}`].join('\n'),
  )
  return async (...args) => {
    await run(clients.rclone ?? '', ['--config', config, '--transfers', '4', '--checkers', '4', ...args])
  }
}

interface CadaverSession {
  /** The client's working folder, with its credentials. */
  readonly folder: string
  readonly mountPath: string
  readonly commands: readonly string[]
}

/** @returns the output of cadaver */
export async function runCadaver(
  t: TestApp,
  { folder, mountPath, commands }: CadaverSession,
): Promise<string> {
  const url = new URL(`${await listen(t)}${mountPath}/`)
  const { user, password } = await keyFor(t)
  const netrc = `machine ${url.hostname}\nlogin ${user}\npassword ${password}\n`
  await writeFile(join(folder, '.netrc'), netrc, { mode: 0o600 })
  const child = spawn(clients.cadaver ?? '', [url.href], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(`${[...commands, 'quit'].join('\n')}\n`)
  return (await child.stdout.setEncoding('utf8').toArray()).join('')
}

/**
 * Mounts the drive with davfs2. This often fails in containers, which have the device, but not the permission to use
 * it. @returns the mount folder, or the error
 */
export async function tryMount(url: string, folder: string, secrets: { user: string; password: string }) {
  const at = join(folder, 'mounted')
  const [config, secretsFile] = [join(folder, 'davfs2.conf'), join(folder, 'secrets')]
  await mkdir(at)
  const cache = join(folder, 'cache')
  await mkdir(cache)
  // Makes the folders accessible to other users, because davfs2 runs as another user.
  await chmod(folder, 0o755)
  await chmod(cache, 0o777)
  await writeFile(
    config,
    `cache_dir ${cache}\ndelay_upload 0\nuse_locks 1\nsecrets ${secretsFile}\nask_auth 0\n`,
  )
  await writeFile(secretsFile, `${url} ${secrets.user} ${secrets.password}\n`, { mode: 0o600 })
  try {
    await run(clients.davfs2 ?? '', ['-o', `conf=${config},uid=0,gid=0`, url, at])
    return { at }
  } catch (error) {
    return { why: (error as { stderr?: string }).stderr ?? String(error) }
  }
}
