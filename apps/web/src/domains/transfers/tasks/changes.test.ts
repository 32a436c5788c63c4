import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteFolderChanged, onFolderChanged, parentOf } from './changes.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

test('a changed folder is reported immediately, then at most once a second', () => {
  const seen: string[] = []
  const stop = onFolderChanged((directory) => seen.push(directory))
  for (let turn = 0; turn < 10; turn += 1) noteFolderChanged('/local/a/')
  noteFolderChanged('/local/b')
  expect(seen).toEqual(['/local/a', '/local/b'])
  vi.advanceTimersByTime(1000)
  expect(seen).toEqual(['/local/a', '/local/b', '/local/a'])
  vi.advanceTimersByTime(5000)
  expect(seen).toHaveLength(3)
  stop()
  noteFolderChanged('/local/a')
  expect(seen).toHaveLength(3)
})

test('the folder above a file, a folder and a mount', () => {
  expect(['/m/a/b.txt', '/m/a/', '/m', '/'].map(parentOf)).toEqual(['/m/a', '/m', '/', '/'])
})
