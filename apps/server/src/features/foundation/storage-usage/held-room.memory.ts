import type { AppContext } from '../../../context.ts'

/** Room that the writes of one process hold in its storages while they run: SQLite has no other process. */
export interface HeldRoom {
  /** Bytes that are held in a storage. */
  bytesIn(configId: string): number
  /** @returns what gives them back. */
  hold(configId: string, sizeBytes: number): () => void
  /** Decides about the room of a storage while nobody else does. */
  inTurn<T>(configId: string, decide: () => Promise<T>): Promise<T>
}

function createHeldRoom(): HeldRoom {
  const held = new Map<string, number>()
  const turns = new Map<string, Promise<unknown>>()

  function change(configId: string, by: number): void {
    const sum = (held.get(configId) ?? 0) + by
    if (sum === 0) held.delete(configId)
    else held.set(configId, sum)
  }

  return {
    bytesIn: (configId) => held.get(configId) ?? 0,
    hold(configId, sizeBytes) {
      change(configId, sizeBytes)
      return () => change(configId, -sizeBytes)
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
