import { expect, test } from 'vitest'
import { findFileKind, hasNoExtension } from './file-kind.ts'

test('the media type decides unless it is generic', () => {
  expect(findFileKind({ mimetype: 'image/png', filename: 'x' })).toBe('image')
  expect(findFileKind({ mimetype: 'text/html; charset=utf-8', filename: 'page.txt' })).toBe('html')
  expect(findFileKind({ mimetype: 'application/octet-stream', filename: 'song.MP3' })).toBe('audio')
  expect(findFileKind({ mimetype: 'text/plain', filename: 'main.rs' })).toBe('code')
  expect(findFileKind({ mimetype: 'text/x-python', filename: 'main.py' })).toBe('code')
  expect(findFileKind({ mimetype: 'text/plain', filename: 'notes' })).toBe('text')
})

test('Markdown, TypeScript and Office files are distinguished from text, video and archives', () => {
  expect(findFileKind({ mimetype: 'text/markdown', filename: 'a.md' })).toBe('markdown')
  expect(findFileKind({ mimetype: 'video/mp2t', filename: 'a.ts' })).toBe('code')
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  expect(findFileKind({ mimetype: word, filename: 'a.docx' })).toBe('document')
  expect(findFileKind({ mimetype: 'application/epub+zip', filename: 'a' })).toBe('ebook')
  expect(findFileKind({ mimetype: '', filename: 'a.epub' })).toBe('ebook')
  expect(findFileKind({ mimetype: 'application/zip', filename: 'a.zip' })).toBe('archive')
  expect(findFileKind({ mimetype: 'application/vnd.sqlite3', filename: 'a.sqlite' })).toBe('database')
  expect(findFileKind({ mimetype: 'application/sql', filename: 'a.sql' })).toBe('code')
})

test('files without an extension are recognized by their names', () => {
  const kinds = (...names: string[]) => names.map((filename) => findFileKind({ mimetype: '', filename }))
  expect(kinds('README', 'LICENSE', '.gitignore', '.env', '.env.production')).toEqual(
    Array.from({ length: 5 }, () => 'text'),
  )
  expect(kinds('Makefile', 'Dockerfile', 'Jenkinsfile', '.bashrc')).toEqual(
    Array.from({ length: 4 }, () => 'code'),
  )
  expect(kinds('photo.readme', 'notes.d.todo', 'a.env.zip')).toEqual(['other', 'other', 'archive'])
  expect(['notes', '.profile'].map(hasNoExtension)).toEqual([true, true])
  expect(['a.b', '.config.d'].map(hasNoExtension)).toEqual([false, false])
})

test('unknown files are of kind other, not text', () => {
  expect(findFileKind({ mimetype: '', filename: 'blob' })).toBe('other')
  expect(findFileKind({ mimetype: 'application/octet-stream', filename: 'a.xyz' })).toBe('other')
})
