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

test('the best way comes first, then the others that fit', () => {
  expect(names('a.json')).toEqual(['tree', 'text', 'facts', 'bytes'])
  expect(names('a.csv')).toEqual(['table', 'sheet', 'text', 'facts', 'bytes'])
  expect(names('a.svg')).toEqual(['image', 'text', 'facts', 'bytes'])
  expect(names('a.heic')).toEqual(['heic', 'facts', 'bytes'])
  expect(names('a.html')).toEqual(['page', 'text', 'facts', 'bytes'])
  expect(names('a.rar')).toEqual(['facts', 'bytes'])
})

test('a list of recordings is a text, whatever type it is sent with', () => {
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

test('an online service is offered for Office files, never first, and never for what it could not be sent for', () => {
  expect(names('a.docx')).toEqual(['word', 'facts', 'online', 'bytes'])
  expect(names('a.doc')).toEqual(['facts', 'online', 'bytes'])
  expect(names('a.docx', 100, false)).toEqual(['word', 'facts', 'bytes'])
  expect(names('a.png')).not.toContain('online')
})

test('what would need too much memory gives way to what reads in parts', () => {
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
