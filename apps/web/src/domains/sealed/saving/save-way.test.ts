import { expect, test, vi } from 'vitest'
import { chooseWay } from './save-way.ts'

const MIB = 1024 ** 2
const none = { hasFilePicker: false, isPhone: false, spoolBytes: 0, hasStream: false }

test.each<[string, number, Partial<typeof none>, string | null]>([
  ['a browser with a file dialog writes the file itself', 10_000 * MIB, { hasFilePicker: true }, 'file'],
  ['a small file fits in memory', 256 * MIB, {}, 'memory'],
  ['a phone has less memory', 65 * MIB, { isPhone: true }, null],
  ['a large file goes through a private file', 300 * MIB, { spoolBytes: 330 * MIB }, 'spool'],
  ['too little room leaves the stream', 300 * MIB, { spoolBytes: 329 * MIB, hasStream: true }, 'stream'],
  ['nothing else is left', 300 * MIB, {}, null],
])('%s', async (_name, sizeBytes, abilities, way) => {
  const { spoolBytes, hasStream, ...known } = { ...none, ...abilities }
  const spoolRoom = async () => spoolBytes
  expect(await chooseWay(sizeBytes, { ...known, spoolRoom, hasStream: async () => hasStream })).toBe(way)
})

test('a private file does not wait for the service worker of a first visit', async () => {
  const hasStream = vi.fn<() => Promise<boolean>>()
  const spoolRoom = async () => 330 * MIB
  const way = await chooseWay(300 * MIB, { hasFilePicker: false, isPhone: false, spoolRoom, hasStream })
  expect(way).toBe('spool')
  expect(hasStream).not.toHaveBeenCalled()
})
