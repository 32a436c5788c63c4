import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UnsavedEdit } from './unsaved-edit.ts'
import { createEditSaver } from './unsaved-edit.ts'

const edit = (text: string): UnsavedEdit => ({ text, etag: 'e' })

function start({ isStored = false } = {}) {
  const written: (string | null)[] = []
  const states: string[] = []
  const gate = { fails: false, until: Promise.resolve() }
  const store = {
    put: async ({ text }: UnsavedEdit) => {
      const { fails, until } = gate
      await until
      if (fails) throw new Error('QuotaExceededError')
      written.push(text)
    },
    remove: async () => {
      await gate.until
      written.push(null)
    },
  }
  const saver = createEditSaver({ store, isStored, onState: (state) => states.push(state) })
  return { saver, written, states, gate }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what is typed is kept a second after the last letter, once', async () => {
  const { saver, written, states } = start()
  saver.keep(() => edit('a'))
  await vi.advanceTimersByTimeAsync(900)
  saver.keep(() => edit('ab'))
  await vi.advanceTimersByTimeAsync(900)
  expect(written).toEqual([])
  await vi.advanceTimersByTimeAsync(100)
  expect(written).toEqual(['ab'])
  expect(states).toEqual(['kept'])
})

test('leaving keeps what waits, and tells whether it worked', async () => {
  const { saver, written, gate } = start()
  saver.keep(() => edit('a'))
  expect(await saver.flush()).toBe('kept')
  expect(written).toEqual(['a'])
  gate.fails = true
  saver.keep(() => edit('b'))
  expect(await saver.flush()).toBe('failed')
})

test('a text that finds no room is told of, until one does', async () => {
  const { saver, states, gate } = start()
  gate.fails = true
  saver.keep(() => edit('too long'))
  await saver.flush()
  gate.fails = false
  saver.keep(() => edit('short'))
  await saver.flush()
  expect(states).toEqual(['failed', 'kept'])
})

test('what was saved is kept no more, also when the write before is slow', async () => {
  const { saver, written, gate } = start({ isStored: true })
  expect(await saver.flush()).toBe('kept')
  const slow = Promise.withResolvers<void>()
  gate.until = slow.promise
  saver.keep(() => edit('a'))
  const leaving = saver.flush()
  saver.clear()
  expect(saver.state()).toBe('none')
  slow.resolve()
  await leaving
  expect(await saver.flush()).toBe('none')
  expect(written).toEqual(['a', null])
})

test('clearing forgets what still waits', async () => {
  const { saver, written } = start()
  saver.keep(() => edit('a'))
  saver.clear()
  await vi.advanceTimersByTimeAsync(5000)
  expect(written).toEqual([null])
})
