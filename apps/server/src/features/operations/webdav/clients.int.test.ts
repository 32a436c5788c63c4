import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listen } from '../../../testing/drive.ts'
import {
  clients,
  keyFor,
  rcloneFor,
  run,
  runCadaver,
  temporary,
  tryMount,
} from '../../../testing/drive-clients.ts'
import { describeEachStorage } from '../../../testing/storages.ts'

const LONG_MS = 300_000
/**
 * Number of test files. It is large enough to use each name and folder several times. By default, the number is lower
 * on S3, where each file takes ten times as long.
 */
const FILES = { disk: 1000, s3: process.env.EVERY_PAIR === '1' ? 1000 : 60 }
/** Number of tests in each suite of litmus 0.13. */
const LITMUS = { basic: 16, copymove: 13, props: 30, locks: 41, http: 4 }

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
      const rclone = await rcloneFor(t, { folder: folder.path, mountPath })
      const [there, back] = [join(folder.path, 'there'), join(folder.path, 'back')]
      await writeTree(there, files)
      await rclone('sync', there, 'drive:tree')
      await rm(join(there, 'f3'), { recursive: true })
      await writeFile(join(there, 'f4', 'new.txt'), 'new')
      await rclone('sync', there, 'drive:tree')
      await rclone('sync', 'drive:tree', back)
      // The downloaded files have the same bytes as the uploaded files.
      await rclone('check', there, back, '--download')
      const found = await readdir(back, { recursive: true, withFileTypes: true })
      expect(found.filter((entry) => entry.isFile())).toHaveLength(files - files / 10 + 1)
      // A second sync transfers nothing, because the server kept the files' modification times.
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

  test.skipIf(!clients.cadaver)('cadaver performs the usual actions', { timeout: LONG_MS }, async () => {
    await using t = await startApp()
    await using folder = await temporary()
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
    ]
    const output = await runCadaver(t, { folder: folder.path, mountPath, commands })
    expect(output).not.toMatch(/failed/i)
    expect(output).toMatch(/Value of colour is: green/)
    expect(await readFile(join(folder.path, 'back.txt'), 'utf8')).toBe('from cadaver')
    expect(await t.storage.keys('notes/')).toEqual(expect.arrayContaining(['notes/c.txt']))
    expect(await t.storage.keys('notes/')).not.toContain('notes/a.txt')
  })

  test.skipIf(!clients.curl)('curl sends a body only after 100 Continue', async () => {
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

/** Returns the sorted names in a mounted folder; `null` if the kernel cannot list davfs2 folders. */
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
    test.skipIf(!clients.davfs2)('behaves like a local folder', { timeout: LONG_MS }, async (context) => {
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
