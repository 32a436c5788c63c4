import { expect, test } from 'vitest'
import { findFileKind } from './kinds/file-kind.ts'
import { findProviders, isTooLarge } from './providers.ts'

const file = (name: string, sizeBytes = 100, isPublic = true) => ({
  name,
  sizeBytes,
  isPublic,
  kind: findFileKind({ mimetype: '', filename: name }),
})
const names = (...args: Parameters<typeof file>) => findProviders(file(...args)).map(({ name }) => name)

test('the best provider is first, then the others that support the file', () => {
  expect(names('a.json')).toEqual(['tree', 'text', 'facts', 'bytes'])
  expect(names('a.csv')).toEqual(['table', 'sheet', 'text', 'facts', 'bytes'])
  expect(names('a.svg')).toEqual(['image', 'text', 'facts', 'bytes'])
  expect(names('a.heic')).toEqual(['heic', 'facts', 'bytes'])
  expect(names('a.html')).toEqual(['page', 'text', 'facts', 'bytes'])
  expect(names('a.rar')).toEqual(['facts', 'bytes'])
})

test('a playlist is text, with any media type', () => {
  for (const mimetype of ['', 'audio/x-mpegurl', 'audio/mpegurl', 'application/vnd.apple.mpegurl']) {
    const kind = findFileKind({ mimetype, filename: 'a.m3u' })
    const found = findProviders({ ...file('a.m3u'), kind }).map(({ name }) => name)
    expect(found).toEqual(['text', 'facts', 'bytes'])
  }
})

test('rich text is shown as its source only on request', () => {
  for (const mimetype of ['', 'application/rtf', 'text/rtf']) {
    const kind = findFileKind({ mimetype, filename: 'a.rtf' })
    const found = findProviders({ ...file('a.rtf'), kind }).map(({ name }) => name)
    expect([kind, ...found]).toEqual(['document', 'facts', 'text', 'bytes'])
  }
})

test('an online service is offered only for Office files that it can download, and never first', () => {
  expect(names('a.docx')).toEqual(['word', 'facts', 'online', 'bytes'])
  expect(names('a.doc')).toEqual(['facts', 'online', 'bytes'])
  expect(names('a.docx', 100, false)).toEqual(['word', 'facts', 'bytes'])
  expect(names('a.png')).not.toContain('online')
})

test('a provider that would need too much memory is replaced by one that reads in parts', () => {
  const large = 500 * 1024 * 1024
  expect(names('a.md', large)).toEqual(['text', 'facts', 'bytes'])
  expect(names('a.csv', large)).toEqual(['table', 'text', 'facts', 'bytes'])
  expect(names('a.docx', large)[0]).not.toBe('word')
  expect([
    isTooLarge(file('a.docx', large)),
    isTooLarge(file('a.docx')),
    isTooLarge(file('a.rar', large)),
  ]).toEqual([true, false, false])
})
