// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { findTaken, freeName, numberedName } from './taken-names.ts'

const stored = new Set(['/m/a.txt', '/m/a(1).txt', '/m/many/3.txt'])
const folders = new Set(['/m/', '/m/many/', '/m/trip/', '/m/trip/old/'])
const calls: string[] = []

const answer = (status: number, body: object) =>
  Promise.resolve(Response.json({ code: status, message: '', success: status < 300, ...body }, { status }))

function stubServer() {
  vi.stubGlobal('fetch', (address: string) => {
    const url = new URL(address, 'http://x')
    const path = url.searchParams.get('path') ?? ''
    calls.push(`${url.pathname.replace('/api/fs/', '')} ${path}`)
    if (url.pathname === '/api/fs/get')
      return stored.has(path) || folders.has(path)
        ? answer(200, { data: {} })
        : answer(404, { error: { code: 'fs.not_found', requestId: '' } })
    if (path === '/m/new/') return answer(404, { error: { code: 'fs.not_found', requestId: '' } })
    const names = [...stored].filter((one) => one.startsWith(path)).map((one) => one.slice(path.length))
    const isFirst = url.searchParams.get('cursor') === null
    const items = (isFirst ? [] : names).map((name) => ({ name }))
    return answer(200, { data: { items, next_cursor: isFirst ? 'more' : null } })
  })
}

afterEach(() => {
  vi.unstubAllGlobals()
  calls.length = 0
})

test('a few files are checked one by one, many by all pages of the list of their folder', async () => {
  stubServer()
  const many = Array.from({ length: 20 }, (_, index) => ({ directory: '/m/many', name: `${index}.txt` }))
  const fresh = Array.from({ length: 20 }, (_, index) => ({ directory: '/m/new', name: `${index}.txt` }))
  const few = [
    { directory: '/m', name: 'a.txt' },
    { directory: '/m', name: 'b.txt' },
  ]
  expect([...(await findTaken([...few, ...many, ...fresh]))]).toEqual(['/m/a.txt', '/m/many/3.txt'])
  expect(calls.filter((call) => !call.endsWith('/'))).toEqual(['get /m/a.txt', 'get /m/b.txt'])
  expect(calls.filter((call) => call.startsWith('list'))).toEqual(['list /m/many/', 'list /m/many/'])
})

test('a missing folder is checked with one request for its list', async () => {
  stubServer()
  const fresh = Array.from({ length: 20 }, (_, index) => ({ directory: '/m/new', name: `${index}.txt` }))
  expect(await findTaken(fresh)).toEqual(new Set())
  expect(calls).toEqual(['list /m/new/'])
})

test('nothing is requested below missing folders', async () => {
  stubServer()
  const at = (directory: string) => ({ directory, name: 'x.txt' })
  await findTaken([at('/m/fresh'), at('/m/fresh/a'), at('/m/fresh/a/b'), at('/m/fresh/c')])
  expect(calls).toEqual(['get /m/fresh/'])
  calls.length = 0
  await findTaken([at('/m/trip/old'), at('/m/trip/new'), at('/m/trip/new/deeper')])
  expect(calls).toEqual(['get /m/trip/', 'get /m/trip/old/', 'get /m/trip/old/x.txt', 'get /m/trip/new/'])
})

test('a free name is neither stored nor chosen for another file', async () => {
  stubServer()
  const place = { directory: '/m', name: 'a.txt' }
  expect(await freeName(place, new Set())).toBe('a(2).txt')
  expect(await freeName(place, new Set(['/m/a(2).txt']))).toBe('a(3).txt')
})

test('numbers are inserted before the extension, and replace an earlier number', () => {
  expect(numberedName('a.tar.gz', 1)).toBe('a.tar(1).gz')
  expect(numberedName('a(1).txt', 2)).toBe('a(2).txt')
  expect(numberedName('.env', 1)).toBe('.env(1)')
  expect(numberedName('LICENSE', 1)).toBe('LICENSE(1)')
})
