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

test('typed text is stored once, a second after the last change', async () => {
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

test('leaving stores a pending text, and returns whether that worked', async () => {
  const { saver, written, gate } = start()
  saver.keep(() => edit('a'))
  expect(await saver.flush()).toBe('kept')
  expect(written).toEqual(['a'])
  gate.fails = true
  saver.keep(() => edit('b'))
  expect(await saver.flush()).toBe('failed')
})

test('missing space for a text is reported until a text can be stored', async () => {
  const { saver, states, gate } = start()
  gate.fails = true
  saver.keep(() => edit('too long'))
  await saver.flush()
  gate.fails = false
  saver.keep(() => edit('short'))
  await saver.flush()
  expect(states).toEqual(['failed', 'kept'])
})

test('a saved text is not kept, also after a slow earlier write', async () => {
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

test('clearing discards a pending text', async () => {
  const { saver, written } = start()
  saver.keep(() => edit('a'))
  saver.clear()
  await vi.advanceTimersByTimeAsync(5000)
  expect(written).toEqual([null])
})
