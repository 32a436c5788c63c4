import { expect, test } from 'vitest'
import { createTab } from './tab-identity.ts'

type Listener = (event: { data: unknown }) => void

/** Simulates tabs of one browser, with synchronous messages. */
function browser() {
  const listeners = new Set<Listener>()
  return (storage: ReturnType<typeof memory>) => {
    let own: Listener | null = null
    const channel = {
      postMessage: (data: unknown) => {
        for (const listener of listeners) if (listener !== own) listener({ data })
      },
      addEventListener: (_type: string, listener: unknown) => {
        own = listener as Listener
        listeners.add(own)
      },
    }
    const tab = createTab({ storage, channel, answerMs: 0 })
    return { tab, close: () => own && listeners.delete(own) }
  }
}

function memory(entries: readonly (readonly [string, string])[] = []) {
  const values = new Map(entries)
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    entries: () => [...values],
  }
}

test('a tab keeps its identity after a reload, and other open tabs respond', async () => {
  const openTab = browser()
  const storage = memory()
  const first = openTab(storage)
  const id = first.tab.id()
  first.close()
  const again = openTab(storage).tab
  const other = openTab(memory())
  expect(again.id()).toBe(id)
  expect(other.tab.id()).not.toBe(id)
  expect([...(await again.findOthers())]).toEqual([other.tab.id()])
  other.close()
  expect([...(await again.findOthers())]).toEqual([])
})

test('a duplicated tab permanently gets another identity', async () => {
  const openTab = browser()
  const storage = memory()
  const first = openTab(storage).tab
  const copied = memory(storage.entries())
  const second = openTab(copied).tab
  expect([...(await second.findOthers())]).toContain(first.id())
  expect(second.id()).not.toBe(first.id())
  expect(copied.entries()[0]?.[1]).toBe(second.id())
})
