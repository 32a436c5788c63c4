import { expect, test } from 'vitest'
import type { Entry } from './entries.ts'
import { neighboursOf, nextToPlay } from './neighbours.ts'

const entry = (name: string): Entry => ({
  path: `/a/${name}`,
  name,
  isFolder: name.endsWith('/'),
  isVirtual: false,
  sizeBytes: 1,
  modifiedAtMs: 0,
  etag: '',
})
const FOLDER = [
  'more/',
  '1.mp4',
  '1.en.srt',
  '1.vtt',
  '2.jpg',
  '2.mp3',
  '3.mp4',
  '3.SRT',
  '4.mp3',
  'a.txt',
].map(entry)

const around = (name: string) => {
  const files = neighboursOf(FOLDER, name)
  const index = files.findIndex((file) => file.name === name)
  return { names: files.map((file) => file.name), next: nextToPlay(files, index)?.name }
}

test('a video is followed by the next video, without its subtitles as a separate step', () => {
  expect(around('1.mp4')).toEqual({
    names: ['1.mp4', '2.jpg', '2.mp3', '3.mp4', '4.mp3', 'a.txt'],
    next: '3.mp4',
  })
  expect(around('3.mp4').next).toBeUndefined()
})

test('the neighbours of a sound file are sound files', () => {
  expect(around('2.mp3')).toEqual({ names: ['2.mp3', '4.mp3'], next: '4.mp3' })
})

test('the neighbours of subtitles are all files', () => {
  expect(around('1.en.srt').names).toHaveLength(9)
})
