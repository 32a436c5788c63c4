import { expect, test } from 'vitest'
import type { PreviewSource } from '../preview-source.ts'
import { pieceAddress } from './hls-player.ts'

const source: PreviewSource = {
  name: 'film 1.m3u8',
  sizeBytes: 1,
  url: '/signed',
  textUrl: '/api/fs/download?path=/a/film%201.m3u8',
  headers: { Authorization: 'x' },
  folder: {
    names: [],
    find: (path) =>
      path.includes('..') ? null : { textUrl: `/read/${path}`, headers: { Authorization: 'x' } },
  },
}
const find = (address: string) => pieceAddress(address, source, 'https://here.test')

test('pieces beside a playlist are read as files of its folder', () => {
  expect(find('https://here.test/.beside/film%201.m3u8').url).toBe(source.textUrl)
  expect(find('https://here.test/.beside/low/part%201.ts')).toEqual({
    url: '/read/low/part 1.ts',
    headers: { Authorization: 'x' },
  })
})

test('own URLs are requested without the credential; other hosts are never requested', () => {
  expect(find('https://here.test/api/x.ts')).toEqual({ url: 'https://here.test/api/x.ts', headers: {} })
  expect(() => find('https://elsewhere.test/x.ts')).toThrow('playlist')
  expect(() => find('data:video/mp2t,x')).toThrow('playlist')
  expect(() => find('https://here.test/.beside/%2e%2e%2fx.ts')).toThrow('playlist')
})
