import { describe, expect, test } from 'vitest'
import {
  compareKeys,
  isFolderKey,
  parseFolderKey,
  parseForeignKey,
  parseListPrefix,
  parseStorageKey,
} from './keys.ts'

const REFUSED = { code: 'storage.invalid_key' }
const longSegment = 'a'.repeat(255)

describe('parseStorageKey', () => {
  test.each([
    ['a'],
    ['a/b/c.txt'],
    ['照片/海 边.jpg'],
    ['100% #1 ?x=&y+.txt'],
    ['%2e%2e/%2F'],
    ['🍃/👨‍👩‍👧.png'],
    ['...'],
    ['..a/b..'],
    ['.hidden'],
    ['back\\slash\\..\\x'],
    ['-rf'],
    ['C:'],
    [' '],
    ['é'],
    ['~'],
    ['*'],
    ['dropleaf-tmp/x'],
    [longSegment],
    ['a/'.repeat(511) + 'bb'],
  ])('accepts %j unchanged', (text) => {
    expect(parseStorageKey(text)).toBe(text)
  })

  test.each([
    ['nothing', ''],
    ['the root', '/'],
    ['an absolute path', '/etc/passwd'],
    ['a folder', 'a/'],
    ['an empty segment', 'a//b'],
    ['only slashes', '///'],
    ['the parent', '..'],
    ['the parent first', '../a'],
    ['the parent inside', 'a/../b'],
    ['the parent last', 'a/..'],
    ['the folder itself', '.'],
    ['the folder itself inside', 'a/./b'],
    ['NUL', 'a\0b'],
    ['NUL before a suffix', 'a.txt\0.png'],
    ['a line feed', 'a\nb'],
    ['a carriage return', 'a\rb'],
    ['an escape', 'a\u001b[2Jb'],
    ['DEL', 'a\u007fb'],
    ['a C1 control', 'a\u0085b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\udf43a'],
    ['the temporary folder', '.dropleaf-tmp/x'],
    ['a reserved name below', 'a/.dropleaf-folder'],
    ['a reserved name in another case', '.DropLeaf-TMP/x'],
    ['a segment of 256 bytes', `${longSegment}a`],
    ['a segment of 86 Chinese characters', '海'.repeat(86)],
    ['1025 bytes', 'a/'.repeat(511) + 'bbb'],
    ['a megabyte', 'a/'.repeat(524_288) + 'b'],
  ])('refuses %s', (_name, text) => {
    expect(() => parseStorageKey(text)).toThrow(expect.objectContaining(REFUSED))
  })

  test('errors do not repeat a hostile text in full or raw', () => {
    expect(() => parseStorageKey(`\n${'x'.repeat(5000)}`)).toThrow(/^Not a storage key: "\\nx{99}…"\.$/)
  })
})

describe('parseForeignKey', () => {
  test.each([
    'a',
    'a/b.txt',
    '/a',
    '//a',
    'a//b',
    '/a//b///c',
    `${longSegment}aaa/b`,
    '照片//海.jpg',
    '...',
    '//..a',
  ])('accepts %j unchanged', (text) => {
    expect(parseForeignKey(text)).toBe(text)
  })

  test.each([
    '',
    '/',
    '//',
    'a/',
    '/a//',
    '..',
    '/..',
    '//../a',
    'a//..//b',
    '/./a',
    '/a\0b',
    '/a\nb',
    '/a\ud83d',
    '/.dropleaf-tmp/x',
    '//.DropLeaf-tmp/x',
    '/'.repeat(1024) + 'a',
  ])('rejects %j', (text) => {
    expect(() => parseForeignKey(text)).toThrow(expect.objectContaining(REFUSED))
  })
})

describe('parseFolderKey', () => {
  test('requires one slash at the end', () => {
    expect(isFolderKey(parseFolderKey('照片/2026/'))).toBe(true)
    expect(isFolderKey(parseStorageKey('a'))).toBe(false)
  })

  test.each(['', '/', 'a', 'a//', '/a/', '../', 'a/../', '.dropleaf-tmp/', 'a/'.repeat(513)])(
    'rejects %j',
    (text) => {
      expect(() => parseFolderKey(text)).toThrow(expect.objectContaining(REFUSED))
    },
  )
})

describe('parseListPrefix', () => {
  test.each([
    ['', '', ''],
    ['a', '', 'a'],
    ['a/', 'a/', ''],
    ['a/b/c', 'a/b/', 'c'],
    ['a/..', 'a/', '..'],
    ['.', '', '.'],
    [`a/${longSegment}`, 'a/', longSegment],
  ])('splits %j', (prefix, folder, nameStart) => {
    expect(parseListPrefix(prefix)).toEqual({ folder, nameStart })
  })

  test.each(['/', '/a', 'a//', '../', 'a/../b', './a', 'a\0', '.dropleaf-tmp', '.dropleaf-tmp/uploads/'])(
    'rejects %j',
    (prefix) => {
      expect(() => parseListPrefix(prefix)).toThrow(expect.objectContaining(REFUSED))
    },
  )
})

test('compareKeys orders as the bytes of UTF-8 do', () => {
  const alphabet = ['', '/', '.', 'a', 'z', 'é', '海', '\ue000', '\uffee', '🍃', '𠀀', '\u{10ffff}']
  const texts = alphabet.flatMap((a) => alphabet.flatMap((b) => alphabet.map((c) => a + b + c)))
  const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(texts.toSorted(compareKeys)).toEqual(byBytes)
})
