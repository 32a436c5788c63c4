import { expect, test } from 'vitest'
import { safeName, safeSegment } from './names.ts'

const named = (name: string) => safeName(`attachment; filename*=UTF-8''${encodeURIComponent(name)}`, 'slug')

test('a name that is too long is cut before its extension, between characters', () => {
  expect(named(`${'报'.repeat(100)}.tar.gz`)).toBe(`${'报'.repeat(84)}.gz`)
  expect(named(`${'a'.repeat(251)}.bin`)).toBe(`${'a'.repeat(251)}.bin`)
  expect(named(`a.${'b'.repeat(300)}`)).toBe(`a.${'b'.repeat(253)}`)
})

test('a name never contains a path', () => {
  expect(named('../../etc/passwd')).toBe('passwd')
  expect(named('..')).toBe('slug')
})

test('a name from elsewhere is never a path, nor a device of Windows', () => {
  const names = ['a/b', '..', '.', 'C:\\x', 'nul', 'COM1.txt', 'com10', 'aux .c', 'end.', ' a', 'ok.tar.gz']
  expect(names.map(safeSegment)).toEqual([
    'a_b',
    '__',
    '_',
    'C__x',
    '_nul',
    '_COM1.txt',
    'com10',
    '_aux .c',
    'end_',
    ' a',
    'ok.tar.gz',
  ])
})
