import type { AppContext } from '../../context.ts'

/** Room that the writes of one process hold in its storages while they run: SQLite has no other process. */
export interface HeldRoom {
  /** Bytes that are held in a storage. */
  bytesIn(configId: string): number
  /** @returns what gives them back. */
  hold(configId: string, sizeBytes: number): () => void
  /** Bytes of shares that the index of a storage does not count yet. */
  unindexedIn(configId: string): number
  /** @param noted ends when the index counts them. */
  countUntil(configId: string, sizeBytes: number, noted: Promise<unknown>): void
  /** Decides about the room of a storage while nobody else does. */
  inTurn<T>(configId: string, decide: () => Promise<T>): Promise<T>
}

function createHeldRoom(): HeldRoom {
  const held = new Map<string, number>()
  const unindexed = new Map<string, number>()
  const turns = new Map<string, Promise<unknown>>()

  /** @returns what takes them off again. */
  function add(bytes: Map<string, number>, configId: string, sizeBytes: number): () => void {
    const change = (by: number) => {
      const sum = (bytes.get(configId) ?? 0) + by
      if (sum === 0) bytes.delete(configId)
      else bytes.set(configId, sum)
    }
    change(sizeBytes)
    return () => change(-sizeBytes)
  }

  return {
    bytesIn: (configId) => held.get(configId) ?? 0,
    hold: (configId, sizeBytes) => add(held, configId, sizeBytes),
    unindexedIn: (configId) => unindexed.get(configId) ?? 0,
    countUntil(configId, sizeBytes, noted) {
      const release = add(unindexed, configId, sizeBytes)
      noted.then(release, release)
    },
    async inTurn(configId, decide) {
      const before = turns.get(configId)
      const turn = (async () => {
        await before?.catch(() => undefined)
        return decide()
      })()
      turns.set(configId, turn)
      try {
        return await turn
      } finally {
        if (turns.get(configId) === turn) turns.delete(configId)
      }
    },
  }
}

const rooms = new WeakMap<AppContext['database'], HeldRoom>()

export function heldRoomOf({ database }: Pick<AppContext, 'database'>): HeldRoom {
  const known = rooms.get(database) ?? createHeldRoom()
  rooms.set(database, known)
  return known
}
