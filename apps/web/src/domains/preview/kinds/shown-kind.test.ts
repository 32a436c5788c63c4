import { expect, test } from 'vitest'
import { findPlaylistKind, findShownKind } from './shown-kind.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)

test.each([
  ['\u0089PNG\r\n\u001A\n\0\0\0\rIHDR', 'image', 'png'],
  ['%PDF-1.7\n1 0 obj << >> endobj', 'pdf', 'pdf'],
  ['PK\u0003\u0004\u0014\0\0\0', 'archive', 'zip'],
  ['\u007FELF\u0002\u0001\u0001\0', 'program', 'elf'],
  ['\0\u0001\u0002\u0003', 'other', ''],
])('%j in a file of text is %s, and cannot be edited', async (content, kind, extension) => {
  for (const told of ['text', 'code', 'markdown'] as const) {
    expect(await findShownKind(bytes(content), told, false)).toEqual({
      kind,
      extension,
      isDisguised: true,
      isExact: false,
    })
  }
  expect(await findShownKind(bytes(content), 'other', false)).toMatchObject({ kind, isDisguised: false })
})

test('a text is shown as text, with any first characters', async () => {
  for (const content of [
    'plain',
    'ID3 tags are read by players',
    'MZ is its mark',
    'BMW',
    '\u00C4\u00E3\u00BA\u00C3',
  ]) {
    expect(await findShownKind(bytes(content), 'code', false)).toEqual({
      kind: 'code',
      extension: null,
      isDisguised: false,
      isExact: true,
    })
  }
  expect(await findShownKind(bytes('ID3 tags'), 'other', false)).toMatchObject({
    kind: 'text',
    isExact: true,
  })
})

test('a text with broken characters is shown, and not edited', async () => {
  const broken = Buffer.concat([Buffer.from('许多中文，许多中文，许多中文'), Buffer.from([0xe4, 10])])
  expect(await findShownKind(broken, 'text', false)).toMatchObject({ kind: 'text', isExact: false })
})

test('a playlist is recognized as a stream by its content, with any extension', async () => {
  const stream = '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:9.9,\na.ts\n'
  const choice = '#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1280000\r\nlow/a.m3u8\r\n'
  for (const content of [stream, choice])
    expect(await findPlaylistKind(bytes(content), false)).toMatchObject({ kind: 'video', extension: 'm3u8' })
  for (const content of ['#EXTM3U\n#EXTINF:123,Somebody - Something\na song.mp3\n', 'a.mp3\nb.mp3\n']) {
    const text = { kind: 'text', extension: 'm3u', isDisguised: false, isExact: true }
    expect(await findPlaylistKind(bytes(content), false)).toEqual(text)
  }
  expect(await findPlaylistKind(bytes('\u0089PNG\r\n\u001A\n\0\0'), false)).toMatchObject({
    kind: 'image',
    isDisguised: true,
  })
})
