import { expect, test } from 'vitest'
import { type Previews, PreviewNotes } from './preview-notes.memory.ts'

test('previews that arrive during a write become one further write, and none is lost', async () => {
  const notes = new PreviewNotes()
  const written: Previews[] = []
  const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  expect(notes.add('a', { nowMs: 1, name: 'first' })).toBe(true)
  const done = notes.write('a', async (previews) => {
    written.push(previews)
    await turns[written.length - 1]?.promise
  })
  for (let nowMs = 2; nowMs <= 500; nowMs += 1) expect(notes.add('a', { nowMs, name: null })).toBe(false)
  notes.add('a', { nowMs: 501, name: 'second' })
  notes.add('a', { nowMs: 502, name: null })
  expect(notes.add('b', { nowMs: 1, name: null })).toBe(true)
  for (const turn of turns) turn.resolve()
  await done
  expect(written).toEqual([
    { count: 1, nowMs: 1, name: 'first' },
    { count: 501, nowMs: 502, name: 'second' },
  ])
  expect(notes.add('a', { nowMs: 503, name: null })).toBe(true)
})

test('a failed write does not stop later ones', async () => {
  const notes = new PreviewNotes()
  notes.add('a', { nowMs: 1, name: null })
  await expect(notes.write('a', () => Promise.reject(new Error('full')))).rejects.toThrow('full')
  expect(notes.add('a', { nowMs: 2, name: null })).toBe(true)
})
