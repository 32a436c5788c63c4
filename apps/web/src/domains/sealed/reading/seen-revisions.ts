import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'

/**
 * The newest revision of each encrypted bundle that this browser has seen. A server that shows an older one is noticed.
 */
const KEY = 'dropleaf.sealed-revisions'
const KEPT = 500

/** Used as well where the browser blocks the storage. */
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

/** 0 for a bundle that was never seen. */
export const seenRevision = (bundleId: string): number =>
  Math.max(read().get(bundleId) ?? 0, inMemory.get(bundleId) ?? 0)

export function noteRevision(bundleId: string, revision: number): void {
  if (revision <= seenRevision(bundleId)) return
  inMemory.set(bundleId, revision)
  const others = [...read()].filter(([id]) => id !== bundleId)
  writeStored(KEY, JSON.stringify([...others, [bundleId, revision]].slice(-KEPT)))
}

/** The server showed an earlier revision than one that this browser has seen. */
export class OlderRevisionError extends Error {
  override readonly name = 'OlderRevisionError'
}
