import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { KeptEdit } from './kept-edit.ts'
import { createEditKeeper } from './kept-edit.ts'

const edit = (text: string): KeptEdit => ({ text, etag: 'e' })

function start({ isKept = false } = {}) {
  const written: (string | null)[] = []
  const states: string[] = []
  const gate = { fails: false, until: Promise.resolve() }
  const store = {
    put: async ({ text }: KeptEdit) => {
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
  const keeper = createEditKeeper({ store, isKept, onState: (state) => states.push(state) })
  return { keeper, written, states, gate }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what is typed is kept a second after the last letter, once', async () => {
  const { keeper, written, states } = start()
  keeper.keep(() => edit('a'))
  await vi.advanceTimersByTimeAsync(900)
  keeper.keep(() => edit('ab'))
  await vi.advanceTimersByTimeAsync(900)
  expect(written).toEqual([])
  await vi.advanceTimersByTimeAsync(100)
  expect(written).toEqual(['ab'])
  expect(states).toEqual(['kept'])
})

test('leaving keeps what waits, and tells whether it worked', async () => {
  const { keeper, written, gate } = start()
  keeper.keep(() => edit('a'))
  expect(await keeper.flush()).toBe('kept')
  expect(written).toEqual(['a'])
  gate.fails = true
  keeper.keep(() => edit('b'))
  expect(await keeper.flush()).toBe('failed')
})

test('a text that finds no room is told of, until one does', async () => {
  const { keeper, states, gate } = start()
  gate.fails = true
  keeper.keep(() => edit('too long'))
  await keeper.flush()
  gate.fails = false
  keeper.keep(() => edit('short'))
  await keeper.flush()
  expect(states).toEqual(['failed', 'kept'])
})

test('what was saved is kept no more, also when the write before is slow', async () => {
  const { keeper, written, gate } = start({ isKept: true })
  expect(await keeper.flush()).toBe('kept')
  const slow = Promise.withResolvers<void>()
  gate.until = slow.promise
  keeper.keep(() => edit('a'))
  const leaving = keeper.flush()
  keeper.clear()
  expect(keeper.state()).toBe('none')
  slow.resolve()
  await leaving
  expect(await keeper.flush()).toBe('none')
  expect(written).toEqual(['a', null])
})

test('clearing forgets what still waits', async () => {
  const { keeper, written } = start()
  keeper.keep(() => edit('a'))
  keeper.clear()
  await vi.advanceTimersByTimeAsync(5000)
  expect(written).toEqual([null])
})
