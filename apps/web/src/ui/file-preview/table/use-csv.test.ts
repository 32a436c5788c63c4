import { afterEach, expect, test, vi } from 'vitest'
import type { PreviewSource } from '../preview-source.ts'
import { startCsv } from './use-csv.ts'

afterEach(() => vi.unstubAllGlobals())

test('a table is read in the encoding that somebody has chosen, else in the one that is found', async () => {
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
