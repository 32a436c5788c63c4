import { statfs } from 'node:fs/promises'
import { StorageError } from '../errors.ts'
import { translate } from './errors.ts'

/** For so long a look at the file system counts, with what was taken since. */
const FRESH_MS = 250

/** What of a file system is left to be written to. */
export interface FreeRoom {
  /**
   * Asks for room. Most questions are answered at once, without a promise.
   * @throws {StorageError} `storage.full` when less than what is to stay free would be left
   */
  take(bytes: number): Promise<void> | undefined
}

/**
 * Keeps some of a file system free: on a full one not even a removal can be noted in a database that lies there.
 * @param folder on it. @param reserveBytes that stay free; 0 leaves it to the system
 */
export function createFreeRoom(folder: string, { reserveBytes }: { reserveBytes: number }): FreeRoom {
  let lookedAtMs = -Infinity
  let freeBytes = 0
  let looking: Promise<void> | null = null

  const look = async () => {
    try {
      const { bavail, bsize } = await statfs(folder)
      freeBytes = bavail * bsize
      lookedAtMs = performance.now()
    } catch (error) {
      throw translate(error, 'read', folder)
    } finally {
      looking = null
    }
  }

  async function takeSeen(bytes: number): Promise<void> {
    looking ??= look()
    await looking
    if (freeBytes - bytes < reserveBytes)
      throw new StorageError(
        'storage.full',
        `${freeBytes} bytes are free, of which ${reserveBytes} stay so, and ${bytes} were asked for.`,
      )
    freeBytes -= bytes
  }

  return {
    take(bytes) {
      if (reserveBytes === 0) return undefined
      const isFresh = performance.now() - lookedAtMs < FRESH_MS
      if (!isFresh || freeBytes - bytes < reserveBytes) return takeSeen(bytes)
      freeBytes -= bytes
      return undefined
    },
  }
}
