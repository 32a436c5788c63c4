import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'

/**
 * Storage key of the newest revision that this browser has seen, for each encrypted bundle. With it, the app detects
 * a server that returns an older revision.
 */
const KEY = 'dropleaf.sealed-revisions'
const KEPT = 500

/** Also stores revisions in memory, because the browser can block the storage. */
const inMemory = new Map<string, number>()

function read(): ReadonlyMap<string, number> {
  const stored = readStoredJson(KEY)
  const pairs = Array.isArray(stored) ? stored : []
  return new Map(
    pairs.filter(
      (pair: unknown): pair is [string, number] =>
        Array.isArray(pair) && typeof pair[0] === 'string' && Number.isSafeInteger(pair[1]),
    ),
  )
}

/** Returns the newest revision that this browser has seen; 0 for a bundle that it has never seen. */
export const seenRevision = (bundleId: string): number =>
  Math.max(read().get(bundleId) ?? 0, inMemory.get(bundleId) ?? 0)

export function noteRevision(bundleId: string, revision: number): void {
  if (revision <= seenRevision(bundleId)) return
  inMemory.set(bundleId, revision)
  const others = [...read()].filter(([id]) => id !== bundleId)
  writeStored(KEY, JSON.stringify([...others, [bundleId, revision]].slice(-KEPT)))
}

/** Thrown if the server returns an older revision than the newest one that this browser has seen. */
export class OlderRevisionError extends Error {
  override readonly name = 'OlderRevisionError'
}
