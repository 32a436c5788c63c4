import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFaultProxy } from '../../server/src/testing/fault-proxy.ts'
import {
  address,
  BASE,
  bytesOf,
  dropleaf,
  inPlace,
  MIB,
  newKey,
  noting,
  place,
  start,
  useServer,
} from './testing/world.ts'

useServer()

/** Path of the default mount of a new server. */
const MOUNT = '/local'

async function tree(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(join(place, path, '..'), { recursive: true })
    await inPlace(path, bytes)
  }
}
const textOf = async (name: string) => (await bytesOf(name)).toString()
const stateFiles = () => readdir(join(place, 'state', 'dropleaf')).catch(() => [])
const views = async (slug: string) => {
  const listed = JSON.parse((await dropleaf(['list', '--json'])).out) as { slug: string; views: number }[]
  return listed.find((one) => one.slug === slug)?.views
}

test('a bundle is opened once and saved below its title, whole or one item of it', async () => {
  const big = randomBytes(2 * MIB)
  await tree({ 'notes.md': '# Hi', 'in/a.txt': 'a', 'in/deep/b.bin': big, 'c.txt': 'c' })
  const words = ['share', 'notes.md', 'in', 'c.txt', '--title', 'My: trip', '--link', 'whole']
  expect((await dropleaf(words)).code).toBe(0)
  const got = await dropleaf(['get', `${address}/s/whole`])
  expect(got).toEqual({ code: 0, out: `${join(place, 'My_ trip')}\n`, err: '' })
  expect((await readdir(join(place, 'My_ trip'))).toSorted()).toEqual(['My_ trip.md', 'c.txt', 'in'])
  expect(await textOf('My_ trip/My_ trip.md')).toBe('# Hi')
  expect(await textOf('My_ trip/in/a.txt')).toBe('a')
  expect((await bytesOf('My_ trip/in/deep/b.bin')).equals(big)).toBe(true)
  expect([await views('whole'), await stateFiles()]).toEqual([1, []])
  // Existing files stay unchanged, and the opening remains stored for the next attempt.
  await inPlace('My_ trip/c.txt', 'mine')
  const again = await dropleaf(['get', 'whole'])
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('--force') })
  expect(await textOf('My_ trip/c.txt')).toBe('mine')
  expect((await dropleaf(['get', 'whole', '--force'])).code).toBe(0)
  expect([await textOf('My_ trip/c.txt'), await views('whole')]).toEqual(['c', 2])
  const only = (...args: string[]) => dropleaf(['get', 'whole', '--only', ...args])
  expect(await only('in/a.txt', '-o', '-')).toEqual({ code: 0, out: 'a', err: '' })
  expect(await only('in/a.txt')).toMatchObject({ code: 0, out: `${join(place, 'a.txt')}\n` })
  expect(await only('in/deep/', '-o', 'part')).toMatchObject({ code: 0, out: `${join(place, 'part')}\n` })
  expect((await bytesOf('part/b.bin')).equals(big)).toBe(true)
  expect(await only('My_ trip.md', '-o', '-')).toMatchObject({ code: 0, out: '# Hi' })
  const before = (await views('whole')) ?? 0
  expect(await only('in/none')).toMatchObject({ code: 4, err: 'The bundle contains no in/none.\n' })
  expect(await only('c.txt', '-o', '-')).toMatchObject({ code: 0, out: 'c' })
  expect(await views('whole')).toBe(before + 1)
  expect(await dropleaf(['get', `${address}/s/whole`, '-o', '-'])).toMatchObject({ code: 2 })
  expect(await dropleaf(['get', `${address}/s/none`])).toMatchObject({ code: 4 })
  expect(await dropleaf(['get', 'none'])).toMatchObject({ code: 4 })
})

test('a bundle that requires confirmation needs its PIN and password, and uses one view, also if the response is lost', async () => {
  const seen: string[] = []
  let lost = 0
  await using proxy = await startFaultProxy(address, ({ url = '' }, response) => {
    if (!url.endsWith('/open') || lost > 0 || !isLosing) return noting(seen, url)
    lost += 1
    response.write = () => {
      response.destroy()
      return false
    }
    response.end = () => response.destroy()
    return false
  })
  let isLosing = false
  const keys = { DROPLEAF_PASSWORD: 'open sesame', DROPLEAF_PIN: '97531' }
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const shared = await dropleaf(['share', '--page', '-', '--link', 'asks', '--views', '1'], {
    input: 'for you',
    env: { ...env, ...keys },
  })
  expect(shared.code).toBe(0)
  const got = (more: Record<string, string>) => dropleaf(['get', 'asks'], { env: { ...env, ...more } })
  expect(await got({})).toMatchObject({ code: 6, err: expect.stringContaining('password') })
  expect(await got({ DROPLEAF_PASSWORD: 'open sesame' })).toMatchObject({
    code: 6,
    err: expect.stringContaining('PIN'),
  })
  expect(await got({ ...keys, DROPLEAF_PIN: '1234' })).toMatchObject({ code: 6, err: 'Wrong PIN.\n' })
  isLosing = true
  expect(await got(keys)).toMatchObject({ code: 0, err: '' })
  expect([lost, await textOf('asks/page.md')]).toEqual([1, 'for you'])
  expect(await got(keys)).toMatchObject({ code: 4 })
  expect(seen.filter((url) => /sesame|97531/i.test(url))).toEqual([])
})

test('a killed download resumes with the same ticket and with ranges', async () => {
  const big = randomBytes(6 * MIB)
  await tree({ 'set/a.txt': 'a', 'set/big.bin': big })
  expect((await dropleaf(['share', 'set', '--link', 'resumed', '--views', '1'])).code).toBe(0)
  const ranges: string[] = []
  const paths: string[] = []
  let isHolding = true
  await using proxy = await startFaultProxy(address, ({ url = '', method, headers }, response) => {
    if (method !== 'GET' || !url.includes('/file?')) return false
    paths.push(new URL(url, 'http://proxy').searchParams.get('path') ?? '')
    if (headers.range !== undefined) ranges.push(headers.range)
    if (!isHolding || !paths.at(-1)?.includes('big')) return false
    // Forwards some megabytes, then stalls.
    let passed = 0
    const write = response.write.bind(response) as (chunk: Buffer) => boolean
    response.write = ((chunk: Buffer) => {
      passed += chunk.length
      return passed > 3 * MIB ? false : write(chunk)
    }) as typeof response.write
    return false
  })
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  const { child, done } = start(['get', 'resumed'], { env })
  const partBytes = async () => {
    const names = await readdir(join(place, 'resumed', 'set')).catch(() => [] as string[])
    const part = names.find((name) => name.endsWith('.part'))
    const isOtherDone = names.includes('a.txt')
    return part && isOtherDone ? (await stat(join(place, 'resumed', 'set', part))).size : 0
  }
  await expect.poll(partBytes, { timeout: 60_000 }).toBeGreaterThan(MIB)
  child.kill('SIGKILL')
  await done
  isHolding = false
  paths.length = 0
  expect(await dropleaf(['get', 'resumed'], { env })).toMatchObject({ code: 0, err: '' })
  expect(paths).toEqual(['set/big.bin'])
  expect(ranges.at(-1)).toMatch(/^bytes=\d{6,}-$/)
  expect((await bytesOf('resumed/set/big.bin')).equals(big)).toBe(true)
  expect((await readdir(join(place, 'resumed', 'set'))).toSorted()).toEqual(['a.txt', 'big.bin'])
  expect(await stateFiles()).toEqual([])
})

test('a live folder of a real server is saved with everything below it', async () => {
  const owner = await newKey({ text_permission: true, file_permission: true, mount_permission: true })
  const call = async (method: string, path: string, body: string | object) => {
    const answer = await fetch(`${address}/api${path}`, {
      method,
      headers: {
        authorization: `ApiKey ${owner}`,
        'content-type': typeof body === 'string' ? 'application/octet-stream' : 'application/json',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    expect([path, answer.ok]).toEqual([path, true])
    return ((await answer.json()) as { data: Record<string, string> }).data
  }
  const paths = ['album/a.txt', 'album/deep/er/b.txt', 'ref.txt']
  for (const path of paths)
    await call('PUT', `/fs/upload?path=${encodeURIComponent(`${MOUNT}/${path}`)}`, `bytes of ${path}`)
  const { id } = await call('POST', '/bundles', { slug: 'live' })
  await call('POST', `/bundles/${id}/revisions`, {
    expected_revision: 0,
    manifest: {
      items: [
        { path: 'album', source: { folder: { path: `${MOUNT}/album` } } },
        { path: 'one/ref.txt', source: { ref: { path: `${MOUNT}/ref.txt` } } },
      ],
    },
  })
  expect(await dropleaf(['get', 'live'])).toEqual({ code: 0, out: `${join(place, 'live')}\n`, err: '' })
  expect(await textOf('live/album/a.txt')).toBe('bytes of album/a.txt')
  expect(await textOf('live/album/deep/er/b.txt')).toBe('bytes of album/deep/er/b.txt')
  expect(await textOf('live/one/ref.txt')).toBe('bytes of ref.txt')
  const only = (...args: string[]) => dropleaf(['get', 'live', '--only', ...args])
  expect((await only('album/deep/er/b.txt', '-o', '-')).out).toBe('bytes of album/deep/er/b.txt')
  expect((await only('album/deep', '-o', 'some')).code).toBe(0)
  expect(await textOf('some/er/b.txt')).toBe('bytes of album/deep/er/b.txt')
  expect(await only('album/none')).toMatchObject({ code: 4 })
})

interface Fake {
  readonly title?: string | null
  readonly items: readonly object[]
  /** Pages of the lists of live folders, keyed by path and cursor. */
  readonly lists?: Readonly<Record<string, object>>
  readonly gone?: readonly string[]
}

/** Simulates a server, also with responses that a real server never sends. */
async function fakeServer({ title = 'Fake', items, lists = {}, gone = [] }: Fake) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://fake')
    const path = searchParams.get('path') ?? ''
    const answer = (data: object) => response.end(JSON.stringify({ code: 200, success: true, data }))
    asked.push(`${pathname} ${path}`)
    if (pathname.endsWith('/state'))
      answer({ opening: 'direct', requires_password: false, requires_pin: false })
    else if (pathname.endsWith('/open'))
      answer({
        slug: 'x',
        title,
        ticket: 't',
        revision: 1,
        manifest: { title, page: { type: 'text/plain', text: 'page' }, items },
      })
    else if (pathname === '/api/bundles/x') answer({ id: 'x', opening: 'direct', requires_password: false })
    else if (pathname.endsWith('/current')) answer({ revision: 1 })
    else if (pathname.endsWith('/list')) answer(lists[path + (searchParams.get('cursor') ?? '')] ?? {})
    else if (gone.includes(path)) {
      response.writeHead(410, { 'content-type': 'application/json' })
      const error = { code: 'bundle.item_gone', params: {} }
      response.end(JSON.stringify({ code: 410, success: false, message: 'Gone.', error }))
    } else response.end(`bytes of ${path}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    asked,
    link: `http://127.0.0.1:${(server.address() as AddressInfo).port}/s/x`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const file = (path: string) => ({ kind: 'file', path, size: 1, mimetype: '', modified: null })
const entry = (name: string) => ({ name, path: `/etc/${name}`, isDirectory: false, size: 1 })

test('paths of a hostile server stay within the target folder', async () => {
  const bad = ['../out', '/abs', 'a/../../out', 'a//b', '.', '..', 'a/.', '', 'x\0y']
  for (const path of bad) {
    await using fake = await fakeServer({ items: [file('good'), file(path)] })
    const got = await dropleaf(['get', fake.link])
    expect([path, got.code, got.out]).toEqual([path, 3, ''])
    expect(fake.asked.filter((one) => one.includes('/file'))).toEqual([])
  }
  for (const name of ['..', '../x', '/etc/passwd', '']) {
    const lists = { live: { path: '..', items: [entry(name)], next_cursor: null } }
    await using fake = await fakeServer({ items: [{ kind: 'folder', path: 'live' }], lists })
    expect(await dropleaf(['get', fake.link])).toMatchObject({ code: 3, out: '' })
  }
  const lists = { live: { items: [], next_cursor: 'same' }, livesame: { items: [], next_cursor: 'same' } }
  await using endless = await fakeServer({ items: [{ kind: 'folder', path: 'live' }], lists })
  expect(await dropleaf(['get', endless.link])).toMatchObject({ code: 3 })
  await using titled = await fakeServer({ title: '../../up', items: [file('a')] })
  expect(await dropleaf(['get', titled.link])).toMatchObject({ code: 0, out: `${join(place, '.._.._up')}\n` })
  await using dots = await fakeServer({ title: '..', items: [file('a')] })
  expect(await dropleaf(['get', dots.link])).toMatchObject({ code: 0, out: `${join(place, '__')}\n` })
  expect((await readdir(place)).toSorted()).toEqual(['.._.._up', '__', 'state'])
})

test('names that a system reserves are changed, and links below the target are never followed', async () => {
  const names = ['CON', 'nul.txt', 'a:b', 'a?b', 'back\\..\\slash', 'end. ', 'dir', 'dir/in', 'Fake.txt']
  await using fake = await fakeServer({ items: names.map(file) })
  expect(await dropleaf(['get', fake.link])).toMatchObject({ code: 0, err: '' })
  expect((await readdir(join(place, 'Fake'))).toSorted()).toEqual(
    [
      '_CON',
      '_nul.txt',
      'a_b',
      'a_b (2)',
      'back_.._slash',
      'end__',
      'dir',
      'dir (2)',
      'Fake.txt',
      'Fake (2).txt',
    ].toSorted(),
  )
  expect(await textOf('Fake/Fake (2).txt')).toBe('page')
  await rm(join(place, 'Fake'), { recursive: true })
  await tree({ 'elsewhere/in': 'kept' })
  const get = (...args: string[]) => dropleaf(['get', fake.link, '--force', ...args])
  await symlink(join(place, 'elsewhere'), join(place, 'Fake'))
  expect(await get()).toMatchObject({ code: 2, err: expect.stringContaining('Links are not followed') })
  await rm(join(place, 'Fake'))
  await mkdir(join(place, 'Fake'))
  await symlink(join(place, 'elsewhere'), join(place, 'Fake', 'dir (2)'))
  expect(await get()).toMatchObject({ code: 2, err: expect.stringContaining('Links are not followed') })
  await rm(join(place, 'Fake', 'dir (2)'))
  await symlink(join(place, 'elsewhere', 'in'), join(place, 'Fake', '_CON'))
  expect(await get()).toMatchObject({ code: 2, err: expect.stringContaining('_CON') })
  expect(await readFile(join(place, 'elsewhere', 'in'), 'utf8')).toBe('kept')
  expect(await readdir(join(place, 'elsewhere'))).toEqual(['in'])
})

test('live folders are read page by page; missing files are reported, and the others are saved', async () => {
  const lists = {
    live: { items: [{ name: 'sub', isDirectory: true, size: null }, entry('1')], next_cursor: '+' },
    'live+': { items: [entry('2')], next_cursor: null },
    'live/sub': { items: [entry('3')], next_cursor: null },
  }
  const items = [{ kind: 'folder', path: 'live' }, file('ref'), file('kept')]
  await using fake = await fakeServer({ items, lists, gone: ['ref'] })
  const got = await dropleaf(['get', fake.link])
  expect(got).toEqual({
    code: 4,
    out: `${join(place, 'Fake')}\n`,
    err: 'Not available any more: ref\nEverything else was saved; unavailable: 1.\n',
  })
  for (const name of ['live/1', 'live/2', 'live/sub/3', 'kept'])
    expect(await textOf(join('Fake', name))).toBe(`bytes of ${name}`)
  expect(await stateFiles()).toEqual([])
})
