// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'
import { findPosition, keepPosition, mediaKey } from './positions.ts'
import { findSubtitles, toWebVtt } from './subtitles.ts'

beforeEach(() => localStorage.clear())

test('a long recording goes on where it was left, until it is at its end', () => {
  const file = mediaKey({ name: 'a.mp4', sizeBytes: 5 })
  expect(findPosition(file)).toBe(0)
  keepPosition(file, 70.4, 600)
  expect(findPosition(file)).toBe(70)
  expect(findPosition(mediaKey({ name: 'a.mp4', sizeBytes: 6 }))).toBe(0)
  keepPosition(file, 595, 600)
  expect(findPosition(file)).toBe(0)
  keepPosition(file, 20, 40)
  expect(findPosition(file)).toBe(0)
})

test('what another version has stored is no position', () => {
  localStorage.setItem('dropleaf.media-positions', '[["a 1","x"],5,["b 1",7]]')
  expect([findPosition('a 1'), findPosition('b 1')]).toEqual([0, 7])
})

test('subtitles are those that begin with the name of the video', () => {
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

test('SubRip becomes WebVTT; what styles it goes', () => {
  const srt =
    '\uFEFF1\r\n00:00:01,500 --> 00:00:02,75\r\n<font color="red">Hi</font> <i>you</i>\r\n{\\an8}there\r\n\r\nbroken\r\n\r\n' +
    '2\r\n1:00:03,000 --> 1:00:04,000\r\n再见'
  expect(toWebVtt(srt)).toBe(
    'WEBVTT\n\n00:00:01.500 --> 00:00:02.750\nHi <i>you</i>\nthere\n\n01:00:03.000 --> 01:00:04.000\n再见',
  )
  expect(toWebVtt('WEBVTT\n\n00:01.000 --> 00:02.000\nx')).toBe('WEBVTT\n\n00:01.000 --> 00:02.000\nx')
})
