import { afterEach, expect, test, vi } from 'vitest'
import type { PreviewSource } from '../preview-source.ts'
import { readOn, startCsv } from './use-csv.ts'

afterEach(() => vi.unstubAllGlobals())

test('a table is decoded with the chosen encoding, otherwise with the detected one', async () => {
  const bytes = Uint8Array.from([0xd6, 0xd0, 0xce, 0xc4, 0x2c, 0x62, 0x0a])
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(bytes)))
  const source: PreviewSource = { name: 'a.csv', sizeBytes: bytes.length, url: '/', textUrl: '/bytes' }
  const { signal } = new AbortController()
  const read = async (encoding: 'gb18030' | 'windows-1252' | null) => {
    const found = await startCsv(source, { delimiter: null, encoding }, signal)
    return [found.encoding, found.rows]
  }
  expect(await read('gb18030')).toEqual(['gb18030', [['中文', 'b']]])
  expect(await read('windows-1252')).toEqual(['windows-1252', [['ÖÐÎÄ', 'b']]])
  expect((await read(null))[0]).toBe('gb18030')
})

test('the encoding is detected again if the first Chinese character is far below', async () => {
  const plain = new TextEncoder().encode('2026-11-27,INFO,ok\n'.repeat(20_000))
  const bytes = Uint8Array.from([...plain, 0xd6, 0xd0, 0xce, 0xc4, 0x2c, 0xb2, 0xe2, 0xca, 0xd4, 0x0a])
  vi.stubGlobal('fetch', (_url: string, { headers }: RequestInit) => {
    const [, first = 0, last = 0] =
      /(\d+)-(\d+)/.exec(new Headers(headers).get('Range') ?? '')?.map(Number) ?? []
    const part = bytes.slice(first, last + 1)
    const range = `bytes ${first}-${first + part.length - 1}/${bytes.length}`
    return Promise.resolve(new Response(part, { status: 206, headers: { 'Content-Range': range } }))
  })
  const source: PreviewSource = { name: 'a.csv', sizeBytes: bytes.length, url: '/', textUrl: '/bytes' }
  const reading = await startCsv(source, { delimiter: null, encoding: null }, new AbortController().signal)
  expect(reading.encoding).toBe('utf-8')
  await readOn(source, reading)
  expect([reading.encoding, reading.rows.at(-1)]).toEqual(['gb18030', ['中文', '测试']])
})
