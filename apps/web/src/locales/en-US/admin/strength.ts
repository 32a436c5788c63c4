import type { Locale } from '../../zh-CN/index.ts'

export const strength: Locale['strength'] = {
  label: 'Strength: {{level}}',
  levels: { '0': 'very weak', '1': 'weak', '2': 'fair', '3': 'strong', '4': 'very strong' },
  warnings: {
    straightRow: 'Straight rows of keys are easy to guess.',
    keyPattern: 'Short patterns on the keyboard are easy to guess.',
    simpleRepeat: 'Repeats like “aaa” are easy to guess.',
    extendedRepeat: 'Repeats like “abcabcabc” are only slightly harder to guess than “abc”.',
    sequences: 'Sequences like “abc” or “6543” are easy to guess.',
    recentYears: 'Recent years are easy to guess.',
    dates: 'Dates are easy to guess.',
    topTen: 'This is one of the ten most common passwords.',
    topHundred: 'This is one of the hundred most common passwords.',
    common: 'This is a very common password.',
    similarToCommon: 'This is similar to a very common password.',
    wordByItself: 'A single word is easy to guess.',
    userInputs: 'Do not use the username or the name of this site.',
  },
}
