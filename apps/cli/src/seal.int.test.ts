import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Intercept, refuse, startFaultProxy } from '../../server/src/testing/fault-proxy.ts'
import {
  address,
  BASE,
  bytesOf,
  dataFolder,
  dropleaf,
  inPlace,
  MIB,
  noting,
  place,
  start,
  useServer,
} from './testing/world.ts'

useServer()

const MARKER = `marker-${randomBytes(12).toString('hex')}`
/** Two complete parts, and some bytes of a third part. */
const BIG_BYTES = 17 * MIB
const LINK = /^(\S+)\/s\/([\w-]+)#([\w-]{43})\n$/

function parts(link: string): { url: string; slug: string; key: string } {
  const [, server = '', slug = '', key = ''] = LINK.exec(link) ?? []
  return { url: `${server}/s/${slug}`, slug, key }
}

async function tree(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(join(place, path, '..'), { recursive: true })
    await inPlace(path, bytes)
  }
}

const stateFolder = () => join(place, 'state', 'dropleaf')
const stateFiles = () => readdir(stateFolder()).catch(() => [])
const views = async (slug: string) => {
  const listed = JSON.parse((await dropleaf(['list', '--json'])).out) as { slug: string; views: number }[]
  return listed.find((one) => one.slug === slug)?.views
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Returns the files below a folder that contain one of the texts. */
async function findTraces(folder: string, texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const file of await filesIn(folder)) {
    const bytes = await readFile(file).catch(() => Buffer.alloc(0))
    for (const text of texts) if (bytes.includes(text)) found.push(`${file}: ${text}`)
  }
  return found
}

test('an encrypted text is printed for a reader with the key, and the server stores none of its plain bytes', async () => {
  const text = `# Secret ${MARKER}\n你好 🍃\n`
  const shared = await dropleaf(['text', '-', '--seal'], { input: text })
  expect(shared).toMatchObject({ code: 0, err: '', out: expect.stringMatching(LINK) })
  const { url, slug, key } = parts(shared.out)
  expect(await dropleaf(['get', shared.out.trim()])).toEqual({ code: 0, out: text, err: '' })
  expect(await dropleaf(['get', url], { env: { DROPLEAF_SHARE_KEY: key } })).toMatchObject({ out: text })
  expect(await dropleaf(['get', `${slug}#${key}`])).toMatchObject({ out: text })
  expect(await views(slug)).toBe(3)
  const listed = JSON.parse((await dropleaf(['list', '--json'])).out) as object[]
  expect(listed).toContainEqual(expect.objectContaining({ slug, link: url, name: '', is_encrypted: true }))
  expect(await dropleaf(['get', url])).toMatchObject({
    code: 6,
    out: '',
    err: expect.stringContaining('key'),
  })
  const other = randomBytes(32).toString('base64url')
  const wrong = await dropleaf(['get', `${url}#${other}`])
  expect(wrong).toEqual({ code: 6, out: '', err: 'The key after # is wrong.\n' })
  expect(await views(slug)).toBe(3)
  expect(await findTraces(dataFolder(), [MARKER, key])).toEqual([])
  expect(await stateFiles()).toEqual([])
})

test('an encrypted file is saved as a file, several files as a folder, and --only saves one of them', async () => {
  const big = randomBytes(BIG_BYTES)
  await tree({
    'big.bin': big,
    'set/page.md': `page ${MARKER}`,
    'set/empty': '',
    'set/deep/报告.txt': 'report',
  })
  for (let n = 0; n < 30; n += 1) await tree({ [`set/many/${n}.txt`]: `${n} ${'x'.repeat(n * 100)}` })
  const file = await dropleaf(['file', 'big.bin', '--seal', '--name', 'film.bin'])
  expect(file).toMatchObject({ code: 0, err: '', out: expect.stringMatching(LINK) })
  const got = await dropleaf(['get', file.out.trim()])
  expect(got).toEqual({ code: 0, out: `${join(place, 'film.bin')}\n`, err: '' })
  expect((await bytesOf('film.bin')).equals(big)).toBe(true)
  const words = ['share', '--page', 'set/page.md', 'set', '--seal', '--title', 'My: set']
  const shared = await dropleaf(words)
  expect(shared).toMatchObject({ code: 0, err: '', out: expect.stringMatching(LINK) })
  const link = shared.out.trim()
  expect(await dropleaf(['get', link])).toMatchObject({ code: 0, out: `${join(place, 'My_ set')}\n` })
  for (const name of ['page.md', 'empty', 'deep/报告.txt', 'many/0.txt', 'many/29.txt'])
    expect((await bytesOf(`My_ set/set/${name}`)).equals(await bytesOf(`set/${name}`))).toBe(true)
  expect((await bytesOf('My_ set/My_ set.md')).toString()).toBe(`page ${MARKER}`)
  expect(await filesIn(join(place, 'My_ set'))).toHaveLength(34)
  const one = await dropleaf(['get', link, '--only', 'set/deep/报告.txt', '-o', '-'])
  expect(one).toEqual({ code: 0, out: 'report', err: '' })
  expect(await dropleaf(['get', link, '--only', 'set/none'])).toMatchObject({ code: 4 })
  expect(await findTraces(dataFolder(), [MARKER, '报告', 'film.bin', 'My: set'])).toEqual([])
})

test('a password is a part of the key, and is neither sent nor stored nor printed', async () => {
  const password = `word-${randomBytes(8).toString('hex')}`
  const seen: string[] = []
  const bodies: Buffer[] = []
  const intercept: Intercept = (request) => {
    request.on('data', (chunk: Buffer) => void bodies.push(chunk))
    return noting(seen, `${request.url} ${JSON.stringify(request.headers)}`)
  }
  await using proxy = await startFaultProxy(address, intercept)
  const env = { DROPLEAF_SERVER: proxy.url + BASE, DROPLEAF_PASSWORD: password }
  const shared = await dropleaf(['text', '-', '--seal', '--plain'], { input: 'guarded', env })
  expect(shared.code).toBe(0)
  const { key } = parts(shared.out)
  const get = (word: string) => dropleaf(['get', shared.out.trim()], { env: { DROPLEAF_PASSWORD: word } })
  expect(await get(password)).toEqual({ code: 0, out: 'guarded', err: '' })
  expect(await get('other')).toEqual({
    code: 6,
    out: '',
    err: 'The password or the key after # is wrong.\n',
  })
  expect(await dropleaf(['get', shared.out.trim()])).toMatchObject({ code: 6, out: '' })
  const sent = `${seen.join('\n')}\n${Buffer.concat(bodies).toString('latin1')}`
  expect(seen.length).toBeGreaterThan(4)
  for (const secret of [password, key, 'guarded']) expect(sent).not.toContain(secret)
  expect(await findTraces(dataFolder(), [password, key])).toEqual([])
})

test('an encrypted copy opens without the server', async () => {
  const big = randomBytes(BIG_BYTES)
  await tree({ 'all/big.bin': big, 'all/a.txt': 'a' })
  const shared = await dropleaf(['share', 'all', '--seal', '--password', 'pass'])
  const { url, slug, key } = parts(shared.out)
  const env = { DROPLEAF_SHARE_KEY: key, DROPLEAF_PASSWORD: 'pass' }
  const copied = await dropleaf(['get', url, '--encrypted'], { env })
  const copy = `${slug}.dropleaf.zip`
  expect(copied).toEqual({ code: 0, out: `${join(place, copy)}\n`, err: '' })
  expect(await dropleaf(['get', url, '--encrypted'], { env })).toMatchObject({ code: 2 })
  const offline = { ...env, DROPLEAF_SERVER: 'http://127.0.0.1:1' }
  expect(await dropleaf(['open', copy, '-o', 'opened'], { env: offline })).toMatchObject({ code: 0, err: '' })
  expect((await bytesOf('opened/all/big.bin')).equals(big)).toBe(true)
  expect((await bytesOf('opened/all/a.txt')).toString()).toBe('a')
})

/** The number of the part that a request sends; `null` for other requests. */
const sentPart = ({ method, url = '' }: Parameters<Intercept>[0]): number | null => {
  const [, part] = /[?&]partNumber=(\d+)|\/parts?\/(\d+)|[?&]part=(\d+)/.exec(url) ?? []
  return method === 'PUT' ? Number(part ?? 1) : null
}

test('a killed upload resumes with the missing parts, and only its owner can read its stored keys', async () => {
  const big = randomBytes(BIG_BYTES)
  await tree({ 'big.bin': big })
  const sent: number[] = []
  let isHolding = true
  let answered = 0
  const intercept: Intercept = (request, response) => {
    const part = sentPart(request)
    if (part === null) return false
    sent.push(part)
    if (isHolding && part > 1) {
      request.resume()
      return true
    }
    response.once('finish', () => void (answered += 1))
    return false
  }
  await using proxy = await startFaultProxy(address, intercept)
  const env = { DROPLEAF_SERVER: proxy.url + BASE, DROPLEAF_PASSWORD: 'pass' }
  const words = ['file', 'big.bin', '--seal', '--link', 'sealed-killed']
  const { child, done } = start(words, { env })
  await expect.poll(() => [answered, sent.length], { timeout: 60_000 }).toEqual([1, 3])
  child.kill('SIGKILL')
  await done
  const stored = await stateFiles()
  expect(stored.filter((name) => /\.(?:json|done)$/.test(name))).toHaveLength(2)
  for (const name of stored) expect((await stat(join(stateFolder(), name))).mode & 0o077).toBe(0)
  const state = await Promise.all(stored.map((name) => readFile(join(stateFolder(), name), 'utf8')))
  expect(state.join('')).not.toContain('pass"')
  isHolding = false
  sent.length = 0
  const resumed = await dropleaf(words, { env })
  expect(resumed).toMatchObject({ code: 0, err: expect.stringContaining('big.bin: resuming at') })
  expect(sent.toSorted()).toEqual([2, 3])
  expect(await stateFiles()).toEqual([])
  const { key } = parts(resumed.out)
  const got = await dropleaf(['get', 'sealed-killed', '-o', 'got.bin'], {
    env: { ...env, DROPLEAF_SHARE_KEY: key },
  })
  expect(got).toMatchObject({ code: 0, err: '' })
  expect((await bytesOf('got.bin')).equals(big)).toBe(true)
})

test('another password or a changed file restarts the upload, and the earlier draft releases its link', async () => {
  await tree({ 'big.bin': randomBytes(BIG_BYTES) })
  let isHolding = true
  let held = 0
  const intercept: Intercept = (request) => {
    if (!isHolding || sentPart(request) === null) return false
    request.resume()
    held += 1
    return true
  }
  await using proxy = await startFaultProxy(address, intercept)
  const words = ['file', 'big.bin', '--seal', '--link', 'sealed-anew']
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const kill = async (more: Record<string, string>) => {
    isHolding = true
    held = 0
    const { child, done } = start(words, { env: { ...env, ...more } })
    await expect.poll(() => held, { timeout: 60_000 }).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await done
    isHolding = false
  }
  await kill({ DROPLEAF_PASSWORD: 'one' })
  await kill({ DROPLEAF_PASSWORD: 'two' })
  const changed = randomBytes(BIG_BYTES + 1)
  await inPlace('big.bin', changed)
  const shared = await dropleaf(words, { env })
  expect(shared).toMatchObject({ code: 0, err: '' })
  expect(await dropleaf(['get', shared.out.trim(), '-o', 'got'])).toMatchObject({ code: 0 })
  expect((await bytesOf('got')).equals(changed)).toBe(true)
})

test('parts are sent through the server if the storage cannot be reached', async () => {
  const big = randomBytes(BIG_BYTES)
  await tree({ 'big.bin': big })
  const shared = await dropleaf(['file', 'big.bin', '--seal', '--whole'])
  expect(shared).toMatchObject({ code: 0, err: '' })
  expect(await dropleaf(['get', shared.out.trim(), '-o', 'got'])).toMatchObject({ code: 0 })
  expect((await bytesOf('got')).equals(big)).toBe(true)
})

test('an interrupted download resumes', async () => {
  const big = randomBytes(BIG_BYTES * 2)
  await tree({ 'big.bin': big })
  const shared = await dropleaf(['file', 'big.bin', '--seal', '--link', 'sealed-broken'])
  const { key } = parts(shared.out)
  let isBroken = true
  const ranges: string[] = []
  const intercept: Intercept = ({ headers, method }, response) => {
    const { range } = headers
    if (method !== 'GET' || range === undefined) return false
    ranges.push(range)
    const first = Number(/\d+/.exec(range)?.[0])
    if (!isBroken || first < BIG_BYTES) return false
    response.destroy()
    return true
  }
  await using proxy = await startFaultProxy(address, intercept)
  const env = { DROPLEAF_SERVER: proxy.url + BASE, DROPLEAF_SHARE_KEY: key }
  const broken = await dropleaf(['get', 'sealed-broken', '-o', 'got'], { env })
  expect(broken).toMatchObject({ code: 5, out: '', err: expect.stringContaining('same command') })
  expect(await readdir(place)).not.toContain('got')
  const state = await Promise.all(
    (await stateFiles()).map((name) => readFile(join(stateFolder(), name), 'utf8')),
  )
  expect(state.join('')).toContain('sealed-broken')
  expect(state.join('')).not.toContain(key)
  isBroken = false
  ranges.length = 0
  expect(await dropleaf(['get', 'sealed-broken', '-o', 'got'], { env })).toMatchObject({ code: 0, err: '' })
  expect((await bytesOf('got')).equals(big)).toBe(true)
  expect(ranges.filter((range) => range.startsWith('bytes=0-'))).toEqual([])
  expect(await views('sealed-broken')).toBe(1)
})

test('an expired URL is requested again, and the bytes come through the server if the storage cannot be reached', async () => {
  const bytes = randomBytes(3 * MIB)
  await tree({ 'a.bin': bytes })
  const shared = await dropleaf(['file', 'a.bin', '--seal', '--link', 'sealed-stale'])
  let isUnreachable = false
  const asked: string[] = []
  const intercept: Intercept = ({ url = '', headers }, response) => {
    if (url.endsWith('/addresses')) {
      asked.push('addresses')
      if (!isUnreachable) return false
      // No server listens on this port.
      const data = [{ n: 0, size: 0, url: 'http://127.0.0.1:1/', expires_at: '', relay_url: '' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 200, success: true, message: '', data }))
      return true
    }
    if (headers.range === undefined) return false
    asked.push('range')
    const isExpired = !isUnreachable && asked.length === 2
    return isExpired && refuse(response, { status: 403, code: 'AccessDenied' })
  }
  await using proxy = await startFaultProxy(address, intercept)
  const env = { DROPLEAF_SERVER: proxy.url + BASE, DROPLEAF_SHARE_KEY: parts(shared.out).key }
  expect(await dropleaf(['get', 'sealed-stale', '-o', 'one'], { env })).toMatchObject({ code: 0, err: '' })
  expect((await bytesOf('one')).equals(bytes)).toBe(true)
  expect(asked).toEqual(['addresses', 'range', 'addresses', 'range'])
  isUnreachable = true
  asked.length = 0
  expect(await dropleaf(['get', 'sealed-stale', '-o', 'two'], { env })).toMatchObject({ code: 0, err: '' })
  expect((await bytesOf('two')).equals(bytes)).toBe(true)
  expect(asked).toEqual(['addresses', 'range'])
})

test('a storage that ignores ranges and sends whole objects is read too', async () => {
  const files = { 'folder/a.bin': randomBytes(12 * MIB), 'folder/b.bin': randomBytes(MIB) }
  await tree(files)
  const shared = await dropleaf(['share', 'folder', '--seal', '--link', 'sealed-whole'])
  const ignored: string[] = []
  await using proxy = await startFaultProxy(address, ({ headers }) => {
    if (headers.range === undefined) return false
    ignored.push(headers.range)
    delete headers.range
    return false
  })
  const env = { DROPLEAF_SERVER: proxy.url + BASE, DROPLEAF_SHARE_KEY: parts(shared.out).key }
  expect(await dropleaf(['get', 'sealed-whole', '-o', 'got'], { env })).toMatchObject({ code: 0, err: '' })
  for (const [path, bytes] of Object.entries(files))
    expect((await bytesOf(`got/${path}`)).equals(bytes)).toBe(true)
  expect(ignored.filter((range) => !range.startsWith('bytes=0-'))).not.toEqual([])
})

test('changed objects are refused, and none of their bytes are saved', async () => {
  await tree({ 'a.bin': randomBytes(3 * MIB) })
  const before = new Set(await filesIn(dataFolder()))
  const shared = await dropleaf(['file', 'a.bin', '--seal'])
  const added = (await filesIn(dataFolder())).filter((file) => !before.has(file))
  const starts = await Promise.all(
    added.map(async (file) => (await readFile(file)).subarray(0, 4).toString()),
  )
  const object = added[starts.indexOf('DLS1')] ?? ''
  const bytes = await readFile(object)
  bytes[2 * MIB] = (bytes[2 * MIB] ?? 0) ^ 1
  await writeFile(object, bytes)
  const got = await dropleaf(['get', shared.out.trim(), '-o', 'got'])
  expect(got).toMatchObject({ code: 3, out: '', err: expect.stringContaining('changed or damaged') })
  expect((await readdir(place)).toSorted()).toEqual(['a.bin', 'state'])
})

test('a share with a view limit requires confirmation, and a wrong key uses no view', async () => {
  const words = ['text', '-', '--seal', '--views', '1', '--pin', '2580']
  const shared = await dropleaf(words, { input: 'once' })
  const { url } = parts(shared.out)
  const other = randomBytes(32).toString('base64url')
  const get = (link: string) => dropleaf(['get', link, '--pin', '2580'])
  expect(await get(`${url}#${other}`)).toMatchObject({ code: 6, out: '' })
  expect(await get(shared.out.trim())).toEqual({ code: 0, out: 'once', err: '' })
  expect(await get(shared.out.trim())).toMatchObject({ code: 4, out: '' })
})

test('a key that is passed as the wrong argument appears in no message', async () => {
  const key = randomBytes(32).toString('base64url')
  const link = `${address}/s/x#${key}`
  const wrong = [
    [link],
    ['list', link],
    ['login', link, link],
    ['file', link],
    ['share', link, '--seal'],
    ['open', link],
    ['open', key, 'copy.zip'],
    ['get', link, link],
    ['delete', link],
    ['text', link, '--seal'],
  ]
  for (const args of wrong) {
    const { code, out, err } = await dropleaf(args)
    expect([args[0], code === 0, out]).toEqual([args[0], false, ''])
    expect(err).not.toContain(key)
    expect(err).not.toBe('')
  }
})

test('a link with a key does not open if the server says that the share is not encrypted', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const data = { id: 'x', sealed: null, salt: null, kdf: null, requires_password: true, opening: 'direct' }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ code: 200, success: true, message: '', data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const key = randomBytes(32).toString('base64url')
    const link = `http://127.0.0.1:${(server.address() as AddressInfo).port}/s/x#${key}`
    const got = await dropleaf(['get', link], { env: { DROPLEAF_PASSWORD: 'word' } })
    expect(got).toMatchObject({ code: 3, out: '', err: expect.stringContaining('not encrypted') })
    expect(asked).toEqual(['/api/bundles/x'])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('contents that cannot be encrypted are refused before anything is sent', async () => {
  await tree({ 'a.txt': 'a' })
  const input = 'text'
  expect(await dropleaf(['file', '-', '--seal', '--name', 'x'], { input })).toMatchObject({ code: 2 })
  expect(await dropleaf(['file', '/proc/version', '--seal'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('/proc/version'),
  })
  const title = 'x'.repeat(201)
  expect(await dropleaf(['share', 'a.txt', '--seal', '--title', title])).toMatchObject({ code: 1 })
  expect(await dropleaf(['get', 'nothing-here#', '--encrypted'])).toMatchObject({ code: 4 })
  expect(await dropleaf(['delete', `nothing-here#${'A'.repeat(43)}`])).toEqual({
    code: 4,
    out: '',
    err: 'There is no share nothing-here.\n',
  })
})
