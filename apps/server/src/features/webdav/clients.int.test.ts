import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { listen } from '../../testing/drive.ts'
import { describeEachStorage, type StorageTestApp } from '../../testing/storages.ts'

const run = promisify(execFile)
const clients = inject('driveClients')
const LONG_MS = 180_000
/** Each name and each folder several times; a bucket takes ten times as long for each. */
const FILES = { disk: 1000, s3: process.env.EVERY_PAIR === '1' ? 1000 : 60 }
/** What litmus 0.13 has in each of its suites. */
const LITMUS = { basic: 16, copymove: 13, props: 30, locks: 41, http: 4 }

async function temporary(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'dropleaf-drive-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** A key in the form that asks for a name and a password. */
async function keyFor(t: StorageTestApp) {
  const { key } = await t.keyClient({ mount_permission: true })
  return { user: 'anyone', password: key }
}

/** Settings of rclone that name the drive. */
async function rcloneFor(t: StorageTestApp, folder: string): Promise<(...args: string[]) => Promise<void>> {
  const { user, password } = await keyFor(t)
  const { stdout } = await run(clients.rclone ?? '', ['obscure', password])
  const config = join(folder, 'rclone.conf')
  const lines = ['[drive]', 'type = webdav', `url = ${await listen(t)}${t.storage.mountPath}`]
  await writeFile(
    config,
    [...lines, 'vendor = owncloud', `user = ${user}`, `pass = ${stdout.trim()}`].join('\n'),
  )
  return async (...args) => {
    await run(clients.rclone ?? '', ['--config', config, '--transfers', '4', '--checkers', '4', ...args])
  }
}

const NAMES = ['中文 文件', 'hash # and %25 percent', 'smile 😀', 'quote \' and "', 'semi;colon&amp', 'plus+']

async function writeTree(folder: string, files: number): Promise<void> {
  for (let at = 0; at < files; at += 1) {
    const directory = join(folder, `f${at % 10}`, at % 50 === 0 ? `deep ${NAMES[(at / 50) % 6]}` : '.')
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, `${at} ${NAMES[at % 6]}.txt`), `file ${at} `.repeat(at % 40))
  }
}

describeEachStorage('clients of the network drive', ({ kind, startApp, mountPath }) => {
  const files = FILES[kind]

  test.skipIf(!clients.litmus)('litmus passes all of its tests', { timeout: LONG_MS }, async () => {
    await using t = await startApp()
    await using folder = await temporary()
    const url = `${await listen(t)}${mountPath}/`
    const { user, password } = await keyFor(t)
    const { stdout } = await run(clients.litmus ?? '', ['-k', url, user, password], { cwd: folder.path })
    const passed = [
      ...stdout.matchAll(/summary for `(\w+)': of (\d+) tests run: (\d+) passed, (\d+) failed/g),
    ].map(([, suite, tests, good, bad]) => [suite, [Number(tests), Number(good), Number(bad)]])
    expect({ stdout, suites: Object.fromEntries(passed) }).toEqual({
      stdout,
      suites: Object.fromEntries(Object.entries(LITMUS).map(([suite, tests]) => [suite, [tests, tests, 0]])),
    })
    expect(stdout).not.toMatch(/WARNING|skipped/)
  })

  test.skipIf(!clients.rclone)(
    `rclone brings ${files} files there and back, with their times`,
    { timeout: LONG_MS },
    async () => {
      await using t = await startApp()
      await using folder = await temporary()
      const rclone = await rcloneFor(t, folder.path)
      const [there, back] = [join(folder.path, 'there'), join(folder.path, 'back')]
      await writeTree(there, files)
      await rclone('sync', there, 'drive:tree')
      await rm(join(there, 'f3'), { recursive: true })
      await writeFile(join(there, 'f4', 'new.txt'), 'new')
      await rclone('sync', there, 'drive:tree')
      await rclone('sync', 'drive:tree', back)
      // What came back is what was sent, byte by byte.
      await rclone('check', there, back, '--download')
      const found = await readdir(back, { recursive: true, withFileTypes: true })
      expect(found.filter((entry) => entry.isFile())).toHaveLength(files - files / 10 + 1)
      // A second round finds nothing to do: the times are those of the files.
      const { stderr } = await run(clients.rclone ?? '', [
        '--config',
        join(folder.path, 'rclone.conf'),
        '--dry-run',
        '-v',
        'sync',
        there,
        'drive:tree',
      ])
      expect(stderr).not.toMatch(/Skipped (?:copy|update)/)
    },
  )

  test.skipIf(!clients.cadaver)('cadaver does what its users do', { timeout: LONG_MS }, async () => {
    await using t = await startApp()
    await using folder = await temporary()
    const url = new URL(`${await listen(t)}${mountPath}/`)
    const { user, password } = await keyFor(t)
    const netrc = `machine ${url.hostname}\nlogin ${user}\npassword ${password}\n`
    await writeFile(join(folder.path, '.netrc'), netrc, { mode: 0o600 })
    await writeFile(join(folder.path, 'a.txt'), 'from cadaver')
    const commands = [
      'mkcol notes',
      'cd notes',
      'put a.txt',
      'copy a.txt b.txt',
      'move b.txt c.txt',
      'lock c.txt',
      'propset c.txt colour green',
      'propget c.txt colour',
      'unlock c.txt',
      'get c.txt back.txt',
      'delete a.txt',
      'ls',
      'quit',
    ]
    const child = spawn(clients.cadaver ?? '', [url.href], {
      cwd: folder.path,
      env: { ...process.env, HOME: folder.path },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.end(`${commands.join('\n')}\n`)
    const output = (await child.stdout.setEncoding('utf8').toArray()).join('')
    expect(output).not.toMatch(/failed/i)
    expect(output).toMatch(/Value of colour is: green/)
    expect(await readFile(join(folder.path, 'back.txt'), 'utf8')).toBe('from cadaver')
    expect(await t.storage.keys('notes/')).toEqual(expect.arrayContaining(['notes/c.txt']))
    expect(await t.storage.keys('notes/')).not.toContain('notes/a.txt')
  })

  test.skipIf(!clients.curl)('curl waits with a body until it is wanted', async () => {
    await using t = await startApp()
    await using folder = await temporary()
    const url = `${await listen(t)}${mountPath}/large.bin`
    const { user, password } = await keyFor(t)
    const file = join(folder.path, 'large.bin')
    await writeFile(file, Buffer.alloc(2 * 1024 ** 2, 'x'))
    const send = async (...more: string[]) =>
      (await run(clients.curl ?? '', ['-sv', '-H', 'Expect: 100-continue', '-T', file, ...more, url])).stderr
    const refused = await send()
    expect(refused).toContain('HTTP/1.1 401')
    expect(refused).not.toContain('100 Continue')
    const stored = await send('-u', `${user}:${password}`)
    expect(stored).toContain('100 Continue')
    expect(stored).toContain('HTTP/1.1 201')
    const { stdout } = await run(
      clients.curl ?? '',
      ['-s', '-u', `${user}:${password}`, '-r', '10-19', '-w', ' %{http_code}', url],
      {},
    )
    expect(stdout).toBe('xxxxxxxxxx 206')
  })
})

/** Containers often have the device, and no right to use it. */
async function tryMount(url: string, folder: string, secrets: { user: string; password: string }) {
  const at = join(folder, 'mounted')
  const [config, secretsFile] = [join(folder, 'davfs2.conf'), join(folder, 'secrets')]
  await mkdir(at)
  const cache = join(folder, 'cache')
  await mkdir(cache)
  // It works as a user of its own.
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

/** Some kernels list nothing of file systems of this kind, whatever server is behind them. @returns `null` there */
async function namesIn(folder: string): Promise<string[] | null> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
    console.log('This kernel lists no folder of davfs2; its names are not looked at.')
    return null
  }
}

describe('davfs2', () => {
  describeEachStorage('a mounted drive', ({ startApp, mountPath }) => {
    test.skipIf(!clients.davfs2)('is a folder like any other', { timeout: LONG_MS }, async (context) => {
      await using t = await startApp()
      await using folder = await temporary()
      const url = `${await listen(t)}${mountPath}/`
      const mounted = await tryMount(url, folder.path, await keyFor(t))
      if (mounted.at === undefined) {
        context.skip(`This machine mounts no davfs2: ${mounted.why}`)
        return
      }
      try {
        const { at } = mounted
        await mkdir(join(at, '文件夹'))
        await writeFile(join(at, '文件夹', 'a b.txt'), 'mounted')
        await writeFile(join(at, '文件夹', 'old.txt'), 'goes')
        await run('mv', [join(at, '文件夹', 'a b.txt'), join(at, '文件夹', 'c.txt')])
        const names = await namesIn(join(at, '文件夹'))
        if (names) expect(names).toEqual(['c.txt', 'old.txt'])
        await rm(join(at, '文件夹', 'old.txt'))
        expect(await readFile(join(at, '文件夹', 'c.txt'), 'utf8')).toBe('mounted')
      } finally {
        await run('umount', [mounted.at])
      }
      expect(await t.storage.text('文件夹/c.txt')).toBe('mounted')
      expect((await t.storage.keys('文件夹/')).filter((key) => !key.endsWith('/'))).toEqual(['文件夹/c.txt'])
    })
  })
})
