import { expect, test } from 'vitest'
import { safeName } from './names.ts'

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
