import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '@dropleaf/storage/testing/free-port'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import nodeFlags from './node-flags.json' with { type: 'json' }

const run = promisify(execFile)
const PASSWORD = 'correct horse battery'
const START_MS = 120_000
/** User ID of the container, which has no name inside the image. */
const USER = 64_321

let folder = ''
const started: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropleaf-packaging-'))
})
afterAll(async () => {
  for (const child of started) child.kill('SIGTERM')
  // A server whose wrapper was killed can still write files while it shuts down.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
})

interface Served {
  readonly api: string
  readonly output: () => string
  readonly stop: () => Promise<number | null>
  readonly kill: () => Promise<void>
}

/** Starts a server on a port, and waits until it responds. */
async function serve(
  command: string,
  args: readonly string[],
  { env, cwd, port }: { env: Record<string, string>; cwd: string; port: number },
): Promise<Served> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const api = `http://127.0.0.1:${port}/api`
  const isReady = () =>
    fetch(`${api}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const deadlineMs = Date.now() + START_MS; !(await isReady()); await sleep(100))
    if (child.exitCode !== null || Date.now() > deadlineMs) throw new Error(`It does not serve:\n${output}`)
  return {
    api,
    output: () => output,
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      return child.exitCode
    },
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Uploads and downloads a text and a file, and requests a thumbnail and the home page. */
async function expectProduct(api: string): Promise<void> {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  const login = await fetch(`${api}/admin/login`, { method: 'POST', headers: JSON_TYPE, body })
  const { data } = (await login.json()) as { data: { token: string } }
  const { token } = data
  const headers = { authorization: `Bearer ${token}` }
  const text = JSON.stringify({ content: '# 你好', slug: 'hello' })
  const made = await fetch(`${api}/paste`, {
    method: 'POST',
    headers: { ...headers, ...JSON_TYPE },
    body: text,
  })
  expect(made.status).toBe(201)
  expect(await (await fetch(`${api}/raw/hello`)).text()).toBe('# 你好')
  const bytes = Buffer.alloc(3_000_000, 'file')
  const put = await fetch(`${api}/upload-direct/a.bin?slug=bytes`, { method: 'PUT', headers, body: bytes })
  expect(put.status).toBe(200)
  const read = await fetch(`${api}/file-download/bytes`)
  expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true)
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await fetch(`${api}/fs/upload?path=/local/a.png`, { method: 'PUT', headers, body: picture })
  const thumbnail = await fetch(`${api}/fs/thumbnail?path=/local/a.png`, { headers })
  expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const page = await fetch(api.replace(/api$/, ''))
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')])
}

/** Uploads and downloads a text and a file with the command line of an installed package and a new API key. */
async function expectCommandLine(bin: string, api: string, cwd: string): Promise<void> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }
    return ((await (await fetch(api + path, init)).json()) as { data: Record<string, string> }).data
  }
  const { token } = await post('/admin/login', { username: 'admin', password: PASSWORD })
  const rights = { name: 'cli', text_permission: true, file_permission: true, expires_at: 'never' }
  const { key = '' } = await post('/admin/api-keys', rights, { authorization: `Bearer ${token}` })
  const env = {
    ...(process.env as Record<string, string>),
    XDG_CONFIG_HOME: join(cwd, 'config'),
    XDG_STATE_HOME: join(cwd, 'state'),
    DROPLEAF_SERVER: api.replace(/\/api$/, ''),
    DROPLEAF_KEY: key,
  }
  await writeFile(join(cwd, 'note.md'), '# 命令行')
  await writeFile(join(cwd, 'large.bin'), Buffer.alloc(17 * 1024 ** 2, 'large'))
  const text = await run(bin, ['text', 'note.md'], { cwd, env })
  expect(text.stdout).toMatch(/^http:\S+\/paste\/\w+\n$/)
  expect((await run(bin, ['get', text.stdout.trim()], { cwd, env })).stdout).toBe('# 命令行')
  const file = await run(bin, ['file', 'large.bin'], { cwd, env })
  await run(bin, ['get', file.stdout.trim(), '-o', 'back.bin'], { cwd, env })
  expect((await readFile(join(cwd, 'back.bin'))).equals(await readFile(join(cwd, 'large.bin')))).toBe(true)
  expect((await run(bin, ['help'], { cwd, env })).stdout).toContain('dropleaf text')
}

/**
 * Starts a server that sends the start of a file and then stalls.
 * @returns its URL, and a promise for the end of the download
 */
async function stallingServer() {
  const asked = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-length': '1000000', etag: '"a"' })
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    response.write('the beginning')
    request.socket.once('close', () => left.resolve())
    asked.resolve()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { link: `http://127.0.0.1:${port}/file/a`, asked: asked.promise, left: left.promise, stop }
}

/** Makes Node.js report an older version, so that the packaged Node.js is started. */
const AS_OLD = `data:text/javascript,Object.defineProperty(process, 'version', { value: 'v20.0.0' })`

/** Checks that killing the wrapper ends its child. A child that does not end would continue to write. */
async function expectNoOrphans(installed: string, cwd: string): Promise<void> {
  const { link, asked, left, stop } = await stallingServer()
  const wrapper = join(installed, 'bin', 'dropleaf.mjs')
  const args = ['--import', AS_OLD, wrapper, 'get', link, '-o', 'stalled.bin']
  const env = { ...(process.env as Record<string, string>), XDG_STATE_HOME: join(cwd, 'state') }
  const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' })
  started.push(child)
  try {
    await asked
    child.kill('SIGKILL')
    await left
  } finally {
    stop()
  }
}

/** Total size of the files in a folder. */
async function sizeOf(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true })
  const sizes = await Promise.all(names.map(async (name) => (await lstat(join(path, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

const isRoot = process.getuid?.() === 0 && process.platform === 'linux'
if (!isRoot) console.log('The image is not booted: only root on Linux can give it a root of its own.')

test('the image tree does not replace a folder with other content', async () => {
  const mine = join(folder, 'mine')
  await mkdir(mine)
  await writeFile(join(mine, 'thesis.txt'), 'three years of work')
  for (const target of [mine, '.'])
    await expect(run(process.execPath, ['scripts/image-tree.mjs', target])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds something else'),
    })
  expect(await readdir(mine)).toEqual(['thesis.txt'])
})

describe.concurrent('the packaged product', () => {
  test.skipIf(!isRoot)(
    'the image tree boots with a read-only root, as an unprivileged user',
    { timeout: 180_000 },
    async () => {
      const tree = join(folder, 'tree')
      // Uses the permissions of a checkout that only its owner can read.
      await run('sh', ['-c', 'umask 077; exec "$0" scripts/image-tree.mjs "$1"', process.execPath, tree])
      expect(await sizeOf(tree)).toBeLessThan(130 * 1024 ** 2)
      const root = join(folder, 'root')
      await mkdir(root)
      for (const name of ['app', 'usr', 'lib', 'lib64', 'proc', 'dev', 'data', 'tmp'])
        await mkdir(join(root, name))
      await chown(join(root, 'data'), USER, USER)
      await writeFile(join(root, 'node'), '')
      const port = await freePort()
      const [, words = '[]'] =
        /^CMD (\[.*\])$/m.exec(await readFile(new URL('../Dockerfile', import.meta.url), 'utf8')) ?? []
      const command = JSON.parse(words) as string[]
      expect(command).toEqual(['node', ...nodeFlags, '/app/server/main.js'])
      // Sets up the file system as the Dockerfile does. It contains the host's system folders and the tree in `/app`,
      // and only `/data` and `/tmp` are writable.
      const script = `
    set -e
    chmod 755 "$ROOT" "$ROOT"/*
    mount --bind "$ROOT" "$ROOT"
    for name in usr lib lib64; do [ ! -e /$name ] || mount --rbind "$(readlink -f /$name)" "$ROOT/$name"; done
    mount --bind "$TREE" "$ROOT/app"
    mount --bind "$NODE" "$ROOT/node"
    mount --rbind /dev "$ROOT/dev"
    mount -t proc proc "$ROOT/proc"
    mount -t tmpfs tmpfs "$ROOT/tmp"
    mount --bind "$ROOT/data" "$ROOT/data"
    mount -o remount,ro,bind "$ROOT/app"
    mount -o remount,ro,bind "$ROOT"
    mount -o remount,rw,bind "$ROOT/data"
    exec chroot --userspec=${USER}:${USER} "$ROOT" /${command.join(' ')}
  `
      const server = await serve('unshare', ['--mount', 'sh', '-c', script], {
        cwd: folder,
        port,
        env: {
          PATH: process.env['PATH'] ?? '',
          ROOT: root,
          TREE: tree,
          NODE: process.execPath,
          PORT: String(port),
          HOST: '127.0.0.1',
          DATA_DIR: '/data',
          ADMIN_PASSWORD: PASSWORD,
          NODE_ENV: 'production',
        },
      })
      await expectProduct(server.api)
      // No other files were written.
      expect((await readdir(root)).sort()).toEqual([
        'app',
        'data',
        'dev',
        'lib',
        'lib64',
        'node',
        'proc',
        'tmp',
        'usr',
      ])
      expect((await lstat(join(root, 'data', 'dropleaf.sqlite'))).uid).toBe(USER)
      expect(await server.stop()).toBe(0)
    },
  )

  test(
    'the package installs into an empty folder, serves, and has the commands',
    { timeout: 600_000 },
    async () => {
      const { stdout } = await run(process.execPath, ['scripts/package.mjs', folder])
      const tarball = stdout.trim().split('\n').at(-1) ?? ''
      const place = join(folder, 'place')
      await mkdir(place)
      await run(
        'npm',
        ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', tarball],
        { cwd: place },
      )
      const bin = join(place, 'node_modules', '.bin', 'dropleaf')
      const { version } = JSON.parse(await readFile('package.json', 'utf8'))
      expect((await run(bin, ['--version'])).stdout.trim()).toBe(version)
      await expect(run(bin, ['no-such-command'])).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('There is no command no-such-command.'),
      })
      // A command that prints its usage starts nothing.
      for (const command of ['serve', 'rotate-secret', 'reset-password'])
        expect((await run(bin, [command, '--help'], { cwd: place })).stdout).toContain('Usage: dropleaf')
      await expect(run(bin, ['restore'], { cwd: place })).rejects.toMatchObject({
        code: 1,
        stderr: 'Usage: dropleaf restore FOLDER [--force] [--same-server]\n',
      })
      const port = await freePort()
      const env = {
        ...(process.env as Record<string, string>),
        PORT: String(port),
        HOST: '127.0.0.1',
        ADMIN_PASSWORD: PASSWORD,
      }
      const server = await serve(bin, [], { cwd: place, env, port })
      await expectProduct(server.api)
      await expectCommandLine(bin, server.api, place)
      const saved = await run(bin, ['backup', 'saved'], { cwd: place, env })
      expect(saved.stdout).toMatch(/files, \d+ bytes, in /)
      expect(await server.stop()).toBe(0)
      expect(await readdir(place)).toEqual(expect.arrayContaining(['data', 'saved']))
      await expectNoOrphans(join(place, 'node_modules', 'dropleaf'), place)
      const killed = await serve(bin, [], { cwd: place, env: { ...env, LOG_LEVEL: 'info' }, port })
      await killed.kill()
      await vi.waitFor(() => expect(killed.output()).toContain('stopping: requests in flight may finish'))
      const isGone = () => expect(fetch(`${killed.api}/health`)).rejects.toThrow()
      await vi.waitFor(isGone, { interval: 200 })
      // Ending npx must also end the server. Otherwise the server would still use the port and the data folder.
      const viaNpx = await serve('npx', ['dropleaf'], { cwd: place, env, port })
      await viaNpx.stop()
      const answers = () => fetch(`${viaNpx.api}/health`)
      await vi.waitFor(() => expect(answers()).rejects.toThrow(), { interval: 200 })
    },
  )
})
