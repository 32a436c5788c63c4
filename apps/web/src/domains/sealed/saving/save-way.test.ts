import { expect, test } from 'vitest'
import { chooseWay, type SaveAbilities } from './save-way.ts'

const MIB = 1024 ** 2
const none: SaveAbilities = { hasFilePicker: false, spoolBytes: 0, hasStream: false, isPhone: false }

test.each<[string, number, Partial<SaveAbilities>, string | null]>([
  ['a browser with a file dialog writes the file itself', 10_000 * MIB, { hasFilePicker: true }, 'file'],
  ['a small file fits in memory', 256 * MIB, {}, 'memory'],
  ['a phone has less memory', 65 * MIB, { isPhone: true }, null],
  [
    'a large file goes through a private file',
    300 * MIB,
    { spoolBytes: 330 * MIB, hasStream: true },
    'spool',
  ],
  ['too little room leaves the stream', 300 * MIB, { spoolBytes: 329 * MIB, hasStream: true }, 'stream'],
  ['nothing else is left', 300 * MIB, {}, null],
])('%s', (_name, sizeBytes, abilities, way) => {
  expect(chooseWay(sizeBytes, { ...none, ...abilities })).toBe(way)
})
