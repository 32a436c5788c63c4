import { statfs } from 'node:fs/promises'
import { StorageError } from '../errors.ts'
import { translate } from './errors.ts'

/**
 * How long a measurement of the free space stays valid. Bytes that were reserved after the measurement are subtracted
 * from it.
 */
const FRESH_MS = 250

/** Tracks how much can still be written to a file system. */
export interface FreeRoom {
  /**
   * Reserves space. Most calls return immediately, without a promise.
   * @throws {StorageError} `storage.full` if less than the reserve would stay free; another code if the free space
   * cannot be determined
   */
  take(bytes: number): Promise<void> | undefined
}

/**
 * Keeps part of a file system free, because on a full disk a database cannot even record a removal.
 * @param folder any folder on that file system
 * @param reserveBytes number of bytes that stay free; 0 turns the reserve off
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
