import { expect, test } from 'vitest'
import { titleOfText } from './text-title.ts'

test.each([
  ['\n\n  # A weekend by the lake\n\nPlans', 'A weekend by the lake'],
  ['> - 1. quoted', 'quoted'],
  ['#include <stdio.h>', '#include <stdio.h>'],
  ['', ''],
  [' \n\t', ''],
  ['湖'.repeat(70), `${'湖'.repeat(59)}…`],
])('%j is known by its first words', (text, title) => {
  expect(titleOfText(text)).toBe(title)
})
