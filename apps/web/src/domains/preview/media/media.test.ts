// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'
import { decodeGuessed } from '../../../lib/text/detect-encoding.ts'
import { findPosition, storePosition, mediaKey } from './playback-positions.ts'
import { findSubtitles, toWebVtt } from './subtitles.ts'

beforeEach(() => localStorage.clear())

test('a long recording resumes at its last position, until it has ended', () => {
  const file = mediaKey({ name: 'a.mp4', sizeBytes: 5 })
  expect(findPosition(file)).toBe(0)
  storePosition(file, 70.4, 600)
  expect(findPosition(file)).toBe(70)
  expect(findPosition(mediaKey({ name: 'a.mp4', sizeBytes: 6 }))).toBe(0)
  storePosition(file, 595, 600)
  expect(findPosition(file)).toBe(0)
  storePosition(file, 20, 40)
  expect(findPosition(file)).toBe(0)
})

test('a position stored by another version is ignored', () => {
  localStorage.setItem('dropleaf.media-positions', '[["a 1","x"],5,["b 1",7]]')
  expect([findPosition('a 1'), findPosition('b 1')]).toEqual([0, 7])
})

test('subtitles are files whose names start with the name of the video', () => {
  const names = [
    'film.mp4',
    'film.srt',
    'film.zh-CN.vtt',
    'film 2.srt',
    'filmed.srt',
    'other.srt',
    'film.txt',
  ]
  expect(findSubtitles('film.mp4', names)).toEqual([
    { name: 'film.srt', label: '' },
    { name: 'film.zh-CN.vtt', label: 'zh-CN' },
  ])
})

test('SubRip is converted to WebVTT, without styles', () => {
  const srt =
    '\uFEFF1\r\n00:00:01,500 --> 00:00:02,75\r\n<font color="red">Hi</font> <i>you</i>\r\n{\\an8}there\r\n\r\nbroken\r\n\r\n' +
    '2\r\n1:00:03,000 --> 1:00:04,000\r\n再见'
  expect(toWebVtt(srt)).toBe(
    'WEBVTT\n\n00:00:01.500 --> 00:00:02.750\nHi <i>you</i>\nthere\n\n01:00:03.000 --> 01:00:04.000\n再见',
  )
  expect(toWebVtt('WEBVTT\n\n00:01.000 --> 00:02.000\nx')).toBe('WEBVTT\n\n00:01.000 --> 00:02.000\nx')
})

test('lines of spaces separate subtitles like empty lines', () => {
  const srt =
    '1\r\n00:00:00,000 --> 00:00:01,000\r\nFIRST\r\n \r\n2\r\n00:00:01,000 --> 00:00:02,000\r\nSECOND\r\n\t\r\n' +
    '3\r\n00:00:02,000 --> 00:00:05,000\r\nTHIRD\r\n'
  const cues =
    '00:00:00.000 --> 00:00:01.000\nFIRST\n\n00:00:01.000 --> 00:00:02.000\nSECOND\n\n00:00:02.000 --> 00:00:05.000\nTHIRD'
  expect(toWebVtt(srt)).toBe(`WEBVTT\n\n${cues}`)
  expect(toWebVtt('WEBVTT\n \n00:01.000 --> 00:02.000\nx')).toBe('WEBVTT\n\n00:01.000 --> 00:02.000\nx')
})

const SAID =
  '1\r\n00:00:01,000 --> 00:00:02,000\r\n你好，世界。这是第一句话\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n这是第二句话\r\n'
/** The bytes of the Chinese characters in `SAID`, encoded in GBK. */
const GBK: Readonly<Record<string, readonly [number, number]>> = {
  你: [0xc4, 0xe3],
  好: [0xba, 0xc3],
  '，': [0xa3, 0xac],
  世: [0xca, 0xc0],
  界: [0xbd, 0xe7],
  '。': [0xa1, 0xa3],
  这: [0xd5, 0xe2],
  是: [0xca, 0xc7],
  第: [0xb5, 0xda],
  一: [0xd2, 0xbb],
  二: [0xb6, 0xfe],
  句: [0xbe, 0xe4],
  话: [0xbb, 0xb0],
}
const inGbk = (text: string) => [...text].flatMap((sign) => GBK[sign] ?? [sign.charCodeAt(0)])
const inUtf16 = (text: string, isLittle: boolean) =>
  [...`\uFEFF${text}`].flatMap((sign) => {
    const code = sign.charCodeAt(0)
    return isLittle ? [code % 256, code >> 8] : [code >> 8, code % 256]
  })

test.each([
  ['GBK', inGbk(SAID)],
  ['UTF-16, little end first', inUtf16(SAID, true)],
  ['UTF-16, big end first', inUtf16(SAID, false)],
])('subtitles in %s are read', async (_encoding, bytes) => {
  const { text } = await decodeGuessed(new Uint8Array(bytes), false)
  expect(toWebVtt(text)).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n你好，世界。这是第一句话\n\n00:00:03.000 --> 00:00:04.000\n这是第二句话',
  )
})
