import { afterEach, expect, test, vi } from 'vitest'
import { isCut } from './find-cut.ts'

afterEach(() => vi.unstubAllGlobals())

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)

async function isCutWith(content: Uint8Array<ArrayBuffer>): Promise<boolean> {
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(headers['Range'] ?? '') ?? []
    return new Response(content.slice(Number(first), Number(last) + 1), { status: 206 })
  })
  const source = { name: 'a', sizeBytes: content.length, url: '/', textUrl: '/a' }
  return isCut(source, new AbortController().signal)
}

const PNG = bytes(`\x89PNG\r\n\x1a\n${'x'.repeat(500)}\0\0\0\0IEND\xaeB\x60\x82`)
const JPEG = bytes(`\xff\xd8\xff\xe0${'x'.repeat(500)}\xff\xd9`)
const WAVE = bytes(`RIFF\xfc\0\0\0WAVEfmt ${'x'.repeat(244)}`)
const MP4 = bytes(`\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x20moov${'x'.repeat(24)}\0\0\0\x40mdat${'x'.repeat(56)}`)

test.each([
  ['PNG', PNG],
  ['JPEG', JPEG],
  ['WAVE', WAVE],
  ['MP4', MP4],
])('the end of a %s is missed', async (_name, whole) => {
  expect(await isCutWith(whole)).toBe(false)
  expect(await isCutWith(whole.slice(0, -30))).toBe(true)
})

test('of other files nothing is said', async () => {
  expect(await isCutWith(bytes('just some words, and more of them'))).toBe(false)
  expect(await isCutWith(bytes(`RIFF\xff\xff\xff\xffWAVEfmt ${'x'.repeat(50)}`))).toBe(false)
})
