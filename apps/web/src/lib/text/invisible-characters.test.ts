import { expect, test } from 'vitest'
import { partsOfName, showInvisible } from './invisible-characters.ts'

test('direction and invisible characters of a name are shown as codes', () => {
  expect(partsOfName('holiday\u202Egpj.exe')).toEqual([
    { at: 0, text: 'holiday', isUnseen: false },
    { at: 7, text: 'U+202E', isUnseen: true },
    { at: 8, text: 'gpj.exe', isUnseen: false },
  ])
  expect(showInvisible('a\u200Bb\u2066c\nd\uFEFF')).toBe('a[U+200B]b[U+2066]c[U+000A]d[U+FEFF]')
})

test('names of any script are left as they are', () => {
  for (const name of ['报告 (最终).docx', 'תמונה.png', 'نمی‌خواهم.txt', '👩‍👩‍👧.jpg', 'é\u0301.md', '❤️'])
    expect(partsOfName(name)).toEqual([{ at: 0, text: name, isUnseen: false }])
  expect(partsOfName('')).toEqual([])
})
