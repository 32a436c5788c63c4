import { expect, test } from 'vitest'
import { createLocalNames } from './local-names.ts'

test('names that become the same get a number, and the same path always gets the same names', () => {
  const { ofFile: namesOf, ofPage } = createLocalNames({ ignoresCase: false })
  expect(namesOf('a:b/c.txt')).toEqual(['a_b', 'c.txt'])
  expect(namesOf('a?b/c.txt')).toEqual(['a_b (2)', 'c.txt'])
  expect(namesOf('a:b/c.txt')).toEqual(['a_b', 'c.txt'])
  expect(namesOf('x')).toEqual(['x'])
  expect(namesOf('x/y')).toEqual(['x (2)', 'y'])
  expect(namesOf('A')).toEqual(['A'])
  expect(namesOf('a')).toEqual(['a'])
  expect(ofPage('a')).toBe('a (2)')
})

test('if the disk ignores case, names that differ only in case get different names', () => {
  const { ofFile: namesOf } = createLocalNames({ ignoresCase: true })
  expect(namesOf('Read.me')).toEqual(['Read.me'])
  expect(namesOf('read.ME')).toEqual(['read (2).ME'])
})

test('a numbered name fits a disk', () => {
  const { ofFile: namesOf } = createLocalNames({ ignoresCase: false })
  const long = `${'你'.repeat(83)}.txt`
  namesOf(`${long}:`)
  const [second = ''] = namesOf(`${long}?`)
  expect(second).toMatch(/ \(2\)\.txt_$/)
  expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255)
})
