import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { isCut } from './find-truncation.ts'

afterEach(() => vi.unstubAllGlobals())

type Bytes = Uint8Array<ArrayBuffer>

const bytes = (text: string): Bytes => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
const join = (...parts: readonly Uint8Array[]): Bytes =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))))

async function isCutWith(content: Bytes): Promise<boolean> {
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(headers['Range'] ?? '') ?? []
    return new Response(content.slice(Number(first), Number(last) + 1), { status: 206 })
  })
  const source = { name: 'a', sizeBytes: content.length, url: '/', textUrl: '/a' }
  return isCut(source, new AbortController().signal)
}

const CORPUS = path.resolve(import.meta.dirname, '../../../../../../e2e/corpus')
const sample = (name: string): Bytes => new Uint8Array(readFileSync(path.join(CORPUS, name)))

const MADE: Readonly<Record<string, Bytes>> = {
  'i.png': bytes(`\u0089PNG\r\n\u001a\n${'x'.repeat(500)}\0\0\0\0IEND\u00aeB\u0060\u0082`),
  'i.bmp': bytes(`BM\u0000\u0002\0\0${'x'.repeat(506)}`),
  'i.ico': bytes(`\0\0\u0001\0\u0001\0${'\0'.repeat(8)}\u0000\u0001\0\0\u0016\0\0\0${'x'.repeat(256)}`),
  'a.wav': bytes(`RIFF\u00fc\0\0\0WAVEfmt ${'x'.repeat(244)}`),
  'd.pdf': bytes(`%PDF-1.7\n${'x'.repeat(500)}\nstartxref\n9\n%%EOF\n`),
}
const FROM_CORPUS =
  'p.jpg p.webp p.avif p.gif v.mp4 v.m4v v.mov v.mkv v.webm v.ogv a.mp3 a.m4a a.aac a.ogg a.opus a.flac'

test.each([...Object.keys(MADE), ...FROM_CORPUS.split(' ')])('a truncated %s is detected', async (name) => {
  const whole = MADE[name] ?? sample(name)
  expect(await isCutWith(whole)).toBe(false)
  expect(await isCutWith(whole.slice(0, Math.floor(whole.length * 0.4)))).toBe(true)
  expect(await isCutWith(whole.slice(0, -Math.min(400, Math.floor(whole.length / 3))))).toBe(true)
})

test('tags after the sound do not count as truncation', async () => {
  const words = bytes(`TAG${'x'.repeat(125)}`)
  for (const name of ['a.mp3', 'a.aac', 'a.flac'])
    expect(await isCutWith(join(sample(name), words))).toBe(false)
})

/** Offset of the audio data in `a.mp3`, and length of its info frame. */
const MP3_AT = 45
const FIRST_FRAME = 180

test('sound without a declared length is truncated if its last frame is incomplete', async () => {
  const frames = sample('a.mp3').slice(MP3_AT + FIRST_FRAME)
  expect(await isCutWith(frames)).toBe(false)
  expect(await isCutWith(frames.slice(0, -1))).toBe(true)
  expect(await isCutWith(join(frames, bytes('APETAGEX and more')))).toBe(false)
})

test('a live recording without a declared length does not count as truncated', async () => {
  expect(await isCutWith(bytes(`RIFF\u00ff\u00ff\u00ff\u00ffWAVEfmt ${'x'.repeat(50)}`))).toBe(false)
  const webm = sample('v.webm')
  webm.fill(0xff, 41, 48)
  expect(await isCutWith(webm.slice(0, 2000))).toBe(false)
  const flac = sample('a.flac')
  flac.fill(0, 22, 26)
  expect(await isCutWith(flac.slice(0, 5000))).toBe(false)
})

test('other files are not checked', async () => {
  expect(await isCutWith(bytes('just some words, and more of them'))).toBe(false)
  expect(await isCutWith(bytes(`ID3\u0004\0\0\0\0\0\u0010${'x'.repeat(500)}`))).toBe(false)
  expect(await isCutWith(bytes(`OggS${'x'.repeat(500)}`))).toBe(false)
  expect(await isCutWith(bytes(`fLaC${'x'.repeat(500)}`))).toBe(false)
})
