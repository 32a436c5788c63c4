import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Intercept, startFaultProxy } from '../../server/src/testing/fault-proxy.ts'
import { freePort } from '@dropleaf/storage/testing/free-port'
import {
  address,
  BASE,
  bytesOf,
  dropleaf,
  inPlace,
  key,
  MIB,
  newKey,
  noting,
  place,
  start,
  useServer,
} from './testing/world.ts'

useServer()

test('a text is shared from a pipe with its options; only its link is printed', async () => {
  const words = ['text', '--link', 'piped', '--views', '5', '--expires', '7d', '--plain', '--remark', 'r']
  expect(await dropleaf(words, { input: 'hello 你好\n' })).toEqual({
    code: 0,
    out: `${address}/paste/piped\n`,
    err: '',
  })
  expect(await dropleaf(['get', 'piped'])).toEqual({ code: 0, out: 'hello 你好\n', err: '' })
  expect((await dropleaf(['get', `${address}/paste/piped`, '-o', 'out.txt'])).code).toBe(0)
  expect((await bytesOf('out.txt')).toString()).toBe('hello 你好\n')
  const [listed] = JSON.parse((await dropleaf(['list', '--json'])).out)
  expect(listed).toMatchObject({ kind: 'text', slug: 'piped', views: 2, max_views: 5, name: 'r' })
  const daysLeft = (Date.parse(listed.expires_at) - Date.now()) / 86_400_000
  expect(Math.round(daysLeft)).toBe(7)
  const taken = await dropleaf(['text', await inPlace('a.md', '# a'), '--link', 'piped'])
  expect([taken.code, taken.out]).toEqual([3, ''])
  expect((await dropleaf(['delete', 'piped'])).code).toBe(0)
  expect((await dropleaf(['get', 'piped'])).code).toBe(4)
  expect((await dropleaf(['delete', 'piped'])).code).toBe(4)
})

test('a password is asked for, and is never in a URL', async () => {
  const seen: string[] = []
  await using proxy = await startFaultProxy(address, ({ url = '' }) => noting(seen, url))
  const env = { DROPLEAF_SERVER: proxy.url + BASE, DROPLEAF_PASSWORD: 'open "sesame" 芝麻' }
  const text = await dropleaf(['text', '--link', 'locked-text'], { input: 'secret', env })
  const bytes = randomBytes(3000)
  const name = await inPlace('a "quoted" 名.bin', bytes)
  const file = await dropleaf(['file', name, '--link', 'locked-file'], { env })
  expect([text.code, file.code, file.err]).toEqual([0, 0, ''])
  for (const slug of ['locked-text', 'locked-file']) expect((await dropleaf(['get', slug])).code).toBe(6)
  const wrong = { ...env, DROPLEAF_PASSWORD: 'wrong' }
  expect((await dropleaf(['get', 'locked-text'], { env: wrong })).code).toBe(6)
  expect((await dropleaf(['get', 'locked-file'], { env: wrong })).code).toBe(6)
  expect((await dropleaf(['get', 'locked-text'], { env })).out).toBe('secret')
  expect((await dropleaf(['get', 'locked-file', '-o', 'got.bin'], { env })).err).toBe('')
  expect((await bytesOf('got.bin')).equals(bytes)).toBe(true)
  expect(seen.length).toBeGreaterThan(6)
  expect(seen.filter((url) => /sesame|password/i.test(url))).toEqual([])
})

test('files are shared with one request each, listed, downloaded under their names, and deleted', async () => {
  const a = randomBytes(5000)
  await inPlace('报告 a.pdf', a)
  await inPlace('empty.bin', '')
  const shared = await dropleaf(['file', '报告 a.pdf', 'empty.bin'])
  expect([shared.code, shared.err]).toEqual([0, ''])
  const [first = '', second = ''] = shared.out.trim().split('\n')
  const exists = await dropleaf(['get', first])
  expect([exists.code, exists.err]).toEqual([2, expect.stringContaining('--force')])
  await rm(join(place, '报告 a.pdf'))
  const got = await dropleaf(['get', first])
  expect([got.code, got.out]).toEqual([0, `${join(place, '报告 a.pdf')}\n`])
  expect((await bytesOf('报告 a.pdf')).equals(a)).toBe(true)
  expect((await dropleaf(['get', second, '-o', 'nothing'])).code).toBe(0)
  expect((await stat(join(place, 'nothing'))).size).toBe(0)
  const piped = await dropleaf(['file', '-', '--name', 'piped.bin'], { input: a })
  expect((await dropleaf(['get', piped.out.trim(), '-o', '-'])).out.length).toBeGreaterThan(0)
  const listed = (await dropleaf(['list'])).out
  expect(listed).toContain(`${first}\t5.0 kB\t0\t-\t-\t报告 a.pdf\n`)
  expect((await dropleaf(['delete', first, second, piped.out.trim()])).code).toBe(0)
  expect((await dropleaf(['list'])).out).not.toContain('.pdf')
  expect((await dropleaf(['file', 'missing.bin'])).err).toContain('missing.bin')
  expect((await dropleaf(['file', '.'])).err).toContain('folder')
  // The commands leave no other files behind.
  expect((await readdir(place)).sort()).toEqual(['empty.bin', 'nothing', 'state', '报告 a.pdf'].sort())
  expect(await readdir(join(place, 'state', 'dropleaf'))).toEqual([])
})

const partOf = (request: IncomingMessage): number | null => {
  const { searchParams } = new URL(request.url ?? '', 'http://proxy')
  const number = searchParams.get('partNumber')
  return request.method === 'PUT' && number !== null ? Number(number) : null
}

test('the same command resumes a killed upload with the missing parts, and every byte is right', async () => {
  const bytes = randomBytes(23 * MIB + 12_345)
  const name = await inPlace('big.bin', bytes)
  const sent: number[] = []
  let answered = 0
  let isHolding = true
  const stuck = Promise.withResolvers<void>()
  // Three parts reach the server. The other parts stall as on a dead connection.
  const intercept: Intercept = (request, response) => {
    const partNumber = partOf(request)
    if (partNumber === null) return false
    if (isHolding && sent.length >= 3) {
      request.resume()
      void afterAnswers().then(stuck.resolve)
      return true
    }
    sent.push(partNumber)
    response.once('finish', () => void (answered += 1))
    return false
  }
  const afterAnswers = () => vi.waitFor(() => expect(answered).toBe(3))
  await using proxy = await startFaultProxy(address, intercept)
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const args = ['file', name, '--link', 'killed', '--views', '3']
  const first = start(args, { env })
  await stuck.promise
  first.child.kill('SIGKILL')
  expect(await first.done).toMatchObject({ code: null, out: '' })
  const before = sent.splice(0)
  isHolding = false

  const again = await dropleaf(args, { env })
  expect(again).toMatchObject({ code: 0, out: `${proxy.url}${BASE}/file/killed\n` })
  expect(again.err).toContain('resuming at 15.7 MB of 24.1 MB')
  expect([...before, ...sent].sort()).toEqual([1, 2, 3, 4, 5])
  expect(before.length).toBe(3)
  expect((await dropleaf(['get', 'killed', '-o', 'back.bin'])).code).toBe(0)
  expect((await bytesOf('back.bin')).equals(bytes)).toBe(true)
  const shares = JSON.parse((await dropleaf(['list', '--json'])).out) as {
    slug: string
    max_views: number
  }[]
  expect(shares.filter(({ slug }) => slug === 'killed')).toMatchObject([{ max_views: 3 }])
  // The upload is complete, so the same command starts another share. The link of that share is already taken.
  expect((await dropleaf(args, { env })).code).toBe(3)
})

test('a lost connection ends an upload with a hint; a changed file starts a new one', async () => {
  const name = await inPlace('lost.bin', randomBytes(17 * MIB))
  const sent: number[] = []
  let isCut = true
  const cut = (request: IncomingMessage, response: ServerResponse) => {
    const partNumber = partOf(request)
    if (partNumber !== null) sent.push(partNumber)
    if (!isCut || partNumber === null || partNumber === 1) return false
    response.destroy()
    return true
  }
  await using proxy = await startFaultProxy(address, cut)
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const args = ['file', name, '--link', 'lost']
  const first = await dropleaf(args, { env })
  expect([first.code, first.out]).toEqual([5, ''])
  expect(first.err).toContain('Run the same command again to resume it.')
  isCut = false
  sent.splice(0)
  const bytes = randomBytes(17 * MIB)
  await inPlace('lost.bin', bytes)
  // The earlier upload was discarded, so its link is free again.
  expect(await dropleaf(args, { env })).toMatchObject({ code: 0, err: '' })
  expect(sent.sort()).toEqual([1, 2, 3, 4])
  expect((await dropleaf(['get', 'lost', '-o', 'back.bin'])).code).toBe(0)
  expect((await bytesOf('back.bin')).equals(bytes)).toBe(true)
})

test('a closed pipe ends a list silently', async () => {
  const { child, done } = start(['list'])
  child.stdout?.destroy()
  expect(await done).toMatchObject({ code: 0, err: '' })
})

test('texts of a server are printed without terminal control characters', async () => {
  const message = 'red \u001B[31m\u009B2J\rover\u202E'
  await using liar = await startFaultProxy(address, (_request, response) => {
    response.writeHead(409, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ message, error: { code: 'paste.slug_taken' } }))
    return true
  })
  const told = await dropleaf(['get', `${liar.url}${BASE}/paste/a`])
  expect(told).toEqual({ code: 3, out: '', err: 'red [31m 2J over\n' })
})

test('a login is checked, stored privately, and sent to its own server only', async () => {
  const none = { DROPLEAF_SERVER: '', DROPLEAF_KEY: '' }
  expect((await dropleaf(['list'], { env: none })).code).toBe(2)
  const refused = await dropleaf(['login'], { input: `${address}/\nwrong\n`, env: none })
  expect(refused.code).toBe(6)
  const done = await dropleaf(['login'], { input: `${address}/\n${key}\n`, env: none })
  expect([done.code, done.out]).toEqual([0, ''])
  const file = join(place, 'config', 'dropleaf', 'cli.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await dropleaf(['text'], { input: 'kept', env: none })).code).toBe(0)
  // The key is sent neither to another server nor to the server of a share link.
  const heads: (string | undefined)[] = []
  await using other = await startFaultProxy(address, ({ headers }) => noting(heads, headers.authorization))
  const elsewhere = { ...none, DROPLEAF_SERVER: other.url + BASE }
  expect((await dropleaf(['list'], { env: elsewhere })).code).toBe(2)
  const shared = await dropleaf(['text', '--link', 'kept'], { input: 'kept', env: none })
  expect((await dropleaf(['get', `${other.url}${BASE}/paste/kept`], { env: none })).out).toBe('kept')
  expect((await dropleaf(['delete', `${other.url}${BASE}/paste/kept`], { env: none })).code).toBe(2)
  expect([shared.code, heads]).toEqual([0, [undefined]])
  await chmod(file, 0o644)
  expect((await dropleaf(['list'], { env: none })).err).toContain('chmod 600')
  expect((await dropleaf(['logout'], { env: none })).code).toBe(0)
  expect((await dropleaf(['list'], { env: none })).code).toBe(2)
})

test('a login that cannot be stored or deleted is reported', async () => {
  const blocker = await inPlace('no-folder', '')
  const env = { DROPLEAF_SERVER: '', DROPLEAF_KEY: '', XDG_CONFIG_HOME: blocker }
  const file = join(blocker, 'dropleaf', 'cli.json')
  for (const [args, input] of [
    [['login'], `${address}/\n${key}\n`],
    [['logout'], ''],
  ] as const) {
    const told = await dropleaf([...args], { input, env })
    expect([told.code, told.err]).toEqual([1, expect.stringContaining(`${file} cannot be changed: ENOTDIR.`)])
  }
})

test('errors are in the language of the terminal, and set the exit code', async () => {
  const zh = { LANG: 'zh_CN.UTF-8' }
  expect(await dropleaf(['frobnicate'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('no command'),
  })
  expect(await dropleaf(['frobnicate'], { env: zh })).toMatchObject({
    code: 2,
    err: expect.stringContaining('没有命令'),
  })
  expect(await dropleaf(['list', '--plain'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--plain'),
  })
  const nowhere = ['--server', `http://127.0.0.1:${await freePort()}`]
  expect((await dropleaf([...nowhere, 'list'])).err).toContain('ECONNREFUSED')
  expect(await dropleaf(['list', 'extra'])).toMatchObject({ code: 2, err: expect.stringContaining('extra') })
  const broken = await dropleaf(['get', `${address}/file/%E0%A4%A`])
  expect([broken.code, broken.err]).toEqual([2, expect.stringContaining('Enter the link of a share')])
  expect((await dropleaf(['text', '--expires', 'soon'], { input: 'x' })).code).toBe(2)
  expect((await dropleaf(['text', '--views', '0'], { input: 'x' })).code).toBe(2)
  expect((await dropleaf(['text'], { input: ' \n' })).code).toBe(1)
  expect((await dropleaf(['text'], { input: Buffer.from([0xff, 0xfe]) })).err).toContain('UTF-8')
  const nobody = { DROPLEAF_SERVER: `http://127.0.0.1:${await freePort()}` }
  expect(await dropleaf(['list'], { env: nobody })).toMatchObject({
    code: 5,
    err: expect.stringContaining('ECONNREFUSED'),
  })
  expect(await dropleaf(['list'], { env: { DROPLEAF_KEY: 'wrong' } })).toMatchObject({ code: 6 })
  const missing = await dropleaf(['get', 'no-such-share'], { env: zh })
  expect([missing.code, missing.err]).toEqual([4, '没有名为 no-such-share 的分享。\n'])
  expect(await dropleaf(['get', 'no-such-share'])).toMatchObject({
    code: 4,
    err: 'There is no share no-such-share.\n',
  })
  const help = await dropleaf(['help'], { env: zh })
  expect([help.code, help.out]).toEqual([0, expect.stringContaining('用法')])
  const texts = await newKey({ text_permission: true })
  const env = { DROPLEAF_KEY: texts }
  expect(await dropleaf(['list'], { env })).toMatchObject({ code: 0, out: '' })
  expect((await dropleaf(['file', await inPlace('a.bin', 'a')], { env })).code).toBe(6)
})

test('an upload whose server repeatedly dies after receiving the bytes ends with a hint', async () => {
  const name = await inPlace('big.bin', randomBytes(17 * MIB))
  let tries = 0
  await using proxy = await startFaultProxy(address, (request) => {
    if (partOf(request) === null) return false
    tries += 1
    request.resume().once('end', () => setImmediate(() => request.socket.destroy()))
    return true
  })
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const told = await dropleaf(['file', name, '--link', 'dying'], { env })
  expect([told.code, told.out]).toEqual([5, ''])
  expect(told.err).toContain('Run the same command again to resume it.')
  expect(tries).toBeGreaterThanOrEqual(4)
})

test('unknown options before a command are reported', async () => {
  for (const args of [['--port', '80'], ['--port=80'], ['--port'], ['-p', '80', 'list']]) {
    const told = await dropleaf(args)
    const name = args[0]?.replace(/=.*/, '')
    expect([told.code, told.err]).toEqual([2, expect.stringContaining(`no option ${name} before a command`)])
  }
  expect(await dropleaf(['--json', 'list'])).toMatchObject({ code: 0, err: '' })
})

test('special files do not block', async () => {
  execFileSync('mkfifo', [join(place, 'fifo')])
  const told = await dropleaf(['file', 'fifo'])
  expect([told.code, told.err]).toEqual([1, expect.stringContaining('fifo is not a regular file')])
})

test('a system file of size 0 is shared with its content', async ({ skip }) => {
  skip(process.platform !== 'linux', 'there is no /proc here')
  const shared = await dropleaf(['file', '/proc/version', '--link', 'of-the-system'])
  expect([shared.code, shared.err]).toEqual([0, ''])
  expect((await dropleaf(['get', 'of-the-system', '-o', '-'])).out).toContain('Linux')
})
