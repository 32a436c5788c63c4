import { expect, test } from 'vitest'
import { createArchiveNames } from './archive-names.ts'

const renamed = (...names: string[]) => names.map(createArchiveNames().forRoot())

test.each([
  ['l/C:/x.txt', 'l/C_/x.txt'],
  ['C:x.txt', 'C_x.txt'],
  ['l/a\\b.txt', 'l/a_b.txt'],
  ['l/a?b:c*"|<1>.txt', 'l/a_b_c____1_.txt'],
  ['l/gpj\u202Etxt.exe', 'l/gpj_txt.exe'],
  ['l/a\u0007b\u2066.txt', 'l/a_b_.txt'],
  ['CON', 'CON_'],
  ['l/con.txt/a', 'l/con_.txt/a'],
  ['COM1.tar.gz', 'COM1_.tar.gz'],
  ['CONTENTS', 'CONTENTS'],
  ['a ', 'a_'],
  ['l/b.', 'l/b_'],
  ['l/b. .', 'l/b___'],
  ['l/../x', 'l/__/x'],
  ['l/./x', 'l/_/x'],
  ['l/.hidden', 'l/.hidden'],
  ['l/empty/', 'l/empty/'],
  ['照片/夏 天.txt', '照片/夏 天.txt'],
])('%j is %j in an archive', (name, cleaned) => {
  expect(renamed(name)).toEqual([cleaned])
})

test('sanitized names remain unique in their folder', () => {
  expect(renamed('l/b.', 'l/b_', 'l/b ', 'm/b.')).toEqual(['l/b_', 'l/b_(1)', 'l/b_(2)', 'm/b_'])
  expect(renamed('CON', 'con_', 'a:', 'b')).toEqual(['CON_', 'con_(1)', 'a_', 'b'])
  expect(renamed('l/C:/x', 'l/C_/x', 'l/C:/y')).toEqual(['l/C_/x', 'l/C_(1)/x', 'l/C_/y'])
  expect(renamed('l/b', 'l/b/c', 'l/b/d')).toEqual(['l/b', 'l/b(1)/c', 'l/b(1)/d'])
})
