import { expect, test } from 'vitest'
import { estimateStrength } from './password-strength.ts'

test.each([
  ['password', 0, 'topTen'],
  ['qwertyuiop', 0, 'topHundred'],
  ['abcabcabcabc', 0, null],
  ['Dropleaf2026', 1, 'userInputs'],
  ['P@ssw0rd123', 1, 'similarToCommon'],
])('%s is easy to guess', (password, most, warning) => {
  const strength = estimateStrength(password, ['dropleaf', 'admin'])
  expect(strength.score).toBeLessThanOrEqual(most)
  if (warning !== null) expect(strength.warning).toBe(warning)
})

test('words that have nothing to do with each other are hard to guess, and so is what was drawn', () => {
  expect(estimateStrength('correct-horse-battery-staple', []).score).toBe(4)
  expect(estimateStrength('Vq7#mK2p!xR9', [])).toEqual({ score: 4, warning: null })
})

test('very long ones are counted in no time', () => {
  expect(estimateStrength('长口令 '.repeat(1000), []).score).toBeGreaterThanOrEqual(0)
})
