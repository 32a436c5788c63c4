import type { NewEntry, QueueEntry } from './entry.ts'
import type { QueueStore } from './replay.ts'

export interface MemoryStore extends QueueStore {
  add(entry: NewEntry): Promise<QueueEntry>
}

/** Creates an in-memory queue, for tests and for browsers without storage. */
export function createMemoryStore(): MemoryStore {
  const entries = new Map<number, QueueEntry>()
  let lastId = 0
  return {
    add: async (entry) => {
      lastId += 1
      const added = { ...entry, id: lastId }
      entries.set(lastId, added)
      return added
    },
    all: async () => [...entries.values()],
    change: async (id, changes) => {
      const entry = entries.get(id)
      if (entry) entries.set(id, { ...entry, ...changes })
    },
    remove: async (id) => void entries.delete(id),
  }
}
