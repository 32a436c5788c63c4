import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Intercept, startFaultProxy } from '../../server/src/testing/fault-proxy.ts'
import {
  address,
  BASE,
  bytesOf,
  dropleaf,
  inPlace,
  key,
  MIB,
  noting,
  place,
  start,
  useServer,
} from './testing/world.ts'

useServer()

async function tree(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(join(place, path, '..'), { recursive: true })
    await inPlace(path, bytes)
  }
}

interface OwnBundle {
  readonly manifest: {
    readonly page: object | null
    readonly items: readonly { readonly path: string }[]
  }
}

/** Returns a bundle as its owner sees it. */
async function ownBundle(slug: string) {
  const headers = { authorization: `ApiKey ${key}` }
  const answer = await fetch(`${address}/api/bundles/${slug}/own`, { headers })
  return { status: answer.status, data: ((await answer.json()) as { data: OwnBundle }).data }
}

const pathsOf = ({ manifest }: OwnBundle): string[] => manifest.items.map(({ path }) => path)

/** Returns the number of the bundle's object that a request sends, or `null`. */
const objectsSent = (url = ''): number | null => {
  const [, n] = /\/objects\/(\d+)\?/.exec(url) ?? []
  return n === undefined ? null : Number(n)
}

/** Returns the part number of an object that a request sends, or `null`. */
const partOf = (url: string): number | null => {
  const part = new URL(url, 'http://proxy').searchParams.get('partNumber')
  return part === null ? null : Number(part)
}

test('files, folders and a page become one link, which is all that is printed', async () => {
  await tree({
    'notes.md': '# Notes\n',
    'pics/a.bin': randomBytes(3000),
    'pics/deep/.hidden': 'hidden',
    'pics/empty.bin': '',
    '报告.pdf': 'report',
  })
  const words = [
    'share',
    'notes.md',
    'pics/',
    '报告.pdf',
    '--link',
    'trip',
    '--title',
    'Trip',
    '--views',
    '3',
  ]
  const shared = await dropleaf([...words, '--expires', '7d', '--remark', 'for Ann'])
  expect(shared).toEqual({ code: 0, out: `${address}/s/trip\n`, err: '' })
  const { data } = await ownBundle('trip')
  expect(data).toMatchObject({
    title: 'Trip',
    remark: 'for Ann',
    max_views: 3,
    opening: 'ask',
    revision: 1,
    item_count: 4,
    manifest: { page: { type: 'text/markdown', text: '# Notes\n' } },
  })
  expect(pathsOf(data)).toEqual(['pics/a.bin', 'pics/deep/.hidden', 'pics/empty.bin', '报告.pdf'])
  // No state and no lock remains.
  expect(await readdir(join(place, 'state', 'dropleaf'))).toEqual([])
  const listed = (await dropleaf(['list'])).out
  expect(listed).toContain(`${address}/s/trip\t3.0 kB\t0/3\t`)
  expect(listed).toContain('\tTrip\n')
  expect((await dropleaf(['delete', `${address}/s/trip`])).err).toContain('/s/trip')
  expect((await ownBundle('trip')).status).toBe(404)
})

test('the page comes from an option, standard input or the only Markdown file in front', async () => {
  await tree({ 'a.md': 'page a', 'b.txt': 'b', 'c.md': 'c' })
  const share = async (args: string[], input = '') => {
    const { code, out, err } = await dropleaf(['share', '--json', ...args], { input })
    if (code !== 0) return { code, err }
    const { data } = await ownBundle(JSON.parse(out).slug)
    return { page: data.manifest.page, paths: pathsOf(data) }
  }
  const markdown = (text: string) => ({ type: 'text/markdown', text })
  expect(await share(['a.md'])).toEqual({ page: markdown('page a'), paths: [] })
  expect(await share(['a.md', 'b.txt'])).toEqual({ page: markdown('page a'), paths: ['b.txt'] })
  expect(await share(['a.md', 'c.md'])).toEqual({ page: null, paths: ['a.md', 'c.md'] })
  expect(await share(['b.txt', 'a.md'])).toEqual({ page: null, paths: ['b.txt', 'a.md'] })
  expect(await share(['a.md', '--no-page'])).toEqual({ page: null, paths: ['a.md'] })
  expect(await share(['a.md', '--page', 'c.md'])).toEqual({ page: markdown('c'), paths: ['a.md'] })
  expect(await share(['--page', '-', '--plain', 'b.txt'], 'from a pipe')).toEqual({
    page: { type: 'text/plain', text: 'from a pipe' },
    paths: ['b.txt'],
  })
  expect(await share([])).toMatchObject({ code: 2 })
  expect(await share(['-'])).toMatchObject({ code: 2, err: expect.stringContaining('--page -') })
  expect(await share(['a.md', '--page', 'c.md', '--no-page'])).toMatchObject({ code: 2 })
})

test('links in folders are skipped with a message; links as arguments, special files and bad names are errors', async () => {
  const seen: string[] = []
  await using proxy = await startFaultProxy(address, ({ url = '' }) => noting(seen, url))
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const share = (...args: string[]) => dropleaf(['share', ...args], { env })
  await tree({ 'out/secret.txt': 'secret', 'dir/a.txt': 'a' })
  await symlink(join(place, 'out'), join(place, 'dir', 'link'))
  await symlink(join(place, 'out', 'secret.txt'), join(place, 'named'))
  expect(await share('named')).toMatchObject({ code: 1, err: expect.stringContaining('symbolic link') })
  expect(await share('missing')).toMatchObject({ code: 1, err: expect.stringContaining('missing') })
  expect(await share('/dev/null')).toMatchObject({ code: 1, err: expect.stringContaining('/dev/null') })
  await mkdir(join(place, 'hollow'))
  expect(await share('hollow')).toMatchObject({ code: 1, err: expect.stringContaining('nothing to share') })
  await tree({ 'bad/back\\slash': '1', 'bad/A': '2', 'bad/a': '3', 'bad/line\nbreak': '4' })
  const bad = await share('bad')
  expect(bad.code).toBe(1)
  expect(bad.err.split('\n').filter((line) => line !== '')).toEqual([
    'bad/a: another path is the same, or differs only in case. Rename one of the two, or share them separately.',
    expect.stringMatching(/^bad\/back\\slash: /),
    expect.stringMatching(/^bad\/line break: /),
    'Nothing was sent. Names to change first: 3.',
  ])
  expect(seen).toEqual([])
  const good = await share('dir', '--link', 'linked')
  expect(good).toMatchObject({
    code: 0,
    err: 'Left out, because symbolic links are not followed: dir/link\n',
  })
  expect(pathsOf((await ownBundle('linked')).data)).toEqual(['dir/a.txt'])
  await mkdir(join(place, 'dir', 'empty', 'inner'), { recursive: true })
  await mkdir(join(place, 'dir', 'full', 'none'), { recursive: true })
  await tree({ 'dir/full/b.txt': 'b' })
  const hollow = await share('dir', 'hollow', '--link', 'hollow', '--seal')
  expect([hollow.code, hollow.err.split('\n').toSorted()]).toEqual([
    0,
    [
      '',
      'Left out, because empty folders cannot be shared: dir/empty',
      'Left out, because empty folders cannot be shared: dir/full/none',
      'Left out, because empty folders cannot be shared: hollow',
      'Left out, because symbolic links are not followed: dir/link',
    ],
  ])
  // Names are converted to NFC without a message.
  await tree({ 'nfd/e\u0301.txt': 'e' })
  expect((await share('nfd', '--link', 'nfd')).err).toBe('')
  expect(pathsOf((await ownBundle('nfd')).data)).toEqual(['nfd/é.txt'])
})

test('three files are sent at once, large ones in parts, or everything whole', async () => {
  let running = 0
  let most = 0
  const urls: string[] = []
  const intercept: Intercept = ({ method, url = '' }, response) => {
    if (method === 'GET') return false
    urls.push(url)
    if (objectsSent(url) === null) return false
    running += 1
    most = Math.max(most, running)
    response.once('close', () => void (running -= 1))
    return false
  }
  await using proxy = await startFaultProxy(address, intercept)
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const big = randomBytes(17 * MIB)
  await tree({ 'all/big.bin': big })
  for (let n = 0; n < 8; n += 1) await tree({ [`all/${n}.bin`]: randomBytes(200_000) })
  expect((await dropleaf(['share', 'all', '--link', 'parts'], { env })).code).toBe(0)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(3)
  expect(urls.filter((url) => url.endsWith('/objects'))).toHaveLength(1)
  expect(urls.filter((url) => /\/objects\/8\?/.test(url))).toEqual([])
  urls.length = 0
  expect((await dropleaf(['share', 'all', '--whole', '--link', 'whole'], { env })).code).toBe(0)
  expect(urls.filter((url) => url.endsWith('/objects'))).toEqual([])
  expect((await dropleaf(['get', 'parts', '-o', 'got'])).code).toBe(0)
  expect((await bytesOf('got/all/big.bin')).equals(big)).toBe(true)
  expect((await bytesOf('got/all/3.bin')).equals(await bytesOf('all/3.bin'))).toBe(true)
})

test('after a refused or changed file nothing is published, and the draft is gone', async () => {
  await tree({ 'set/a.bin': 'aaa', 'set/b.bin': 'bbb' })
  let isRefusing = true
  const drafts: string[] = []
  const intercept: Intercept = (request, response) => {
    const [, id] = /\/api\/bundles\/([\da-f-]{36})\/objects/.exec(request.url ?? '') ?? []
    if (id !== undefined) drafts.push(id)
    const n = objectsSent(request.url)
    if (n !== 1) return false
    if (isRefusing) {
      request.resume()
      const error = { code: 'file.too_large', params: {} }
      response.writeHead(413, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 413, success: false, message: 'The file is too large.', error }))
      return true
    }
    // The file changes during its upload.
    void writeFile(join(place, 'set', 'b.bin'), 'another size')
    return false
  }
  await using proxy = await startFaultProxy(address, intercept)
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const refused = await dropleaf(['share', 'set', '--link', 'never'], { env })
  expect(refused).toEqual({ code: 3, out: '', err: 'set/b.bin: The file is too large.\n' })
  expect((await ownBundle('never')).status).toBe(404)
  isRefusing = false
  const changed = await dropleaf(['share', 'set', '--link', 'never'], { env })
  expect(changed).toMatchObject({ code: 1, out: '', err: expect.stringContaining('changed') })
  expect((await ownBundle('never')).status).toBe(404)
  expect(await readdir(join(place, 'state', 'dropleaf'))).toEqual([])
  expect(new Set(drafts).size).toBe(2)
  expect(await dropleaf(['share', 'set', '--link', 'never'])).toMatchObject({ code: 0 })
})

test('the same command resumes a killed run with the missing files; other contents start a new upload', async () => {
  const big = randomBytes(17 * MIB)
  await tree({ 'tree/a.bin': 'aaa', 'tree/b.bin': 'bbb', 'tree/c.bin': big })
  const sent: string[] = []
  let isHolding = true
  let answered = 0
  const isHeld = (url: string) => objectsSent(url) === 1 || (partOf(url) ?? 1) > 1
  const intercept: Intercept = (request, response) => {
    const { url = '', method } = request
    if (method !== 'PUT') return false
    sent.push(url)
    if (isHolding && isHeld(url)) {
      request.resume()
      return true
    }
    response.once('finish', () => void (answered += 1))
    return false
  }
  await using proxy = await startFaultProxy(address, intercept)
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const words = ['share', 'tree', '--link', 'killed']
  const { child, done } = start(words, { env })
  const noted = async () => {
    const names = await readdir(join(place, 'state', 'dropleaf')).catch(() => [])
    const list = names.find((name) => name.endsWith('.done'))
    return list === undefined ? '' : (await bytesOf(join('state', 'dropleaf', list))).toString().trim()
  }
  // The first file and the first part have arrived, and the state lists the first file.
  await expect.poll(async () => [answered, await noted()], { timeout: 60_000 }).toEqual([2, '0'])
  expect(await dropleaf(words, { env })).toMatchObject({
    code: 1,
    err: expect.stringContaining('Another process'),
  })
  child.kill('SIGKILL')
  await done
  isHolding = false
  sent.length = 0
  const resumed = await dropleaf(words, { env })
  expect(resumed).toMatchObject({ code: 0, out: `${proxy.url}${BASE}/s/killed\n` })
  expect(resumed.err).toContain('tree: resuming at')
  expect(sent.map(objectsSent)).not.toContain(0)
  expect(sent.map(objectsSent)).toContain(1)
  expect(sent.map(partOf)).not.toContain(1)
  expect(sent.map(partOf)).toContain(2)
  expect((await dropleaf(['get', 'killed', '-o', 'got'])).code).toBe(0)
  expect((await bytesOf('got/tree/c.bin')).equals(big)).toBe(true)
  // A draft of an earlier attempt has other contents. It must not reserve the link.
  isHolding = true
  await rm(join(place, 'tree', 'c.bin'))
  const other = start(['share', 'tree', '--link', 'second'], { env })
  await expect
    .poll(() => sent.filter((url) => objectsSent(url) === 1).length, { timeout: 60_000 })
    .toBeGreaterThan(1)
  other.child.kill('SIGKILL')
  await other.done
  isHolding = false
  await utimes(join(place, 'tree', 'b.bin'), new Date(0), new Date(0))
  const anew = await dropleaf(['share', 'tree', '--link', 'second'], { env })
  expect(anew).toMatchObject({ code: 0, err: '' })
})

test('a lost connection keeps the draft for the same command, and a lost response creates no second bundle', async () => {
  await tree({ 'one.txt': 'one' })
  let isBroken = true
  let lost = 0
  const intercept: Intercept = ({ url = '', method }, response) => {
    if (isBroken && method === 'PUT') {
      response.destroy()
      return true
    }
    const isNew = method === 'POST' && (url.endsWith('/api/bundles') || url.endsWith('/revisions'))
    if (!isNew || lost >= 2) return false
    lost += 1
    // The server executes the request, but its response never arrives.
    response.write = () => {
      response.destroy()
      return false
    }
    response.end = () => response.destroy()
    return false
  }
  await using proxy = await startFaultProxy(address, intercept)
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const broken = await dropleaf(['share', 'one.txt', '--link', 'lost'], { env })
  expect(broken).toMatchObject({ code: 5, out: '', err: expect.stringContaining('same command') })
  isBroken = false
  const shared = await dropleaf(['share', 'one.txt', '--link', 'lost'], { env })
  expect([shared.code, lost]).toEqual([0, 2])
  expect((await ownBundle('lost')).data).toMatchObject({ revision: 1, item_count: 1 })
  const listed = JSON.parse((await dropleaf(['list', '--json'])).out)
  expect(listed.filter(({ slug }: { slug: string }) => slug === 'lost')).toHaveLength(1)
  const taken = await dropleaf(['share', 'one.txt', '--link', 'lost'])
  expect(taken).toMatchObject({ code: 3, out: '' })
  expect((await ownBundle('lost')).data).toMatchObject({ revision: 1 })
})
