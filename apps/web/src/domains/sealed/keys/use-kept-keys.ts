import { useSyncExternalStore } from 'react'
import { subscribeSession } from '../../session/session.ts'
import { onKeysChanged } from './key-changes.ts'
import type { KeptKey } from './key-store.ts'

/** Stored keys of the current user by the id of their bundle. */
type KeptKeys = ReadonlyMap<string, KeptKey>

let keys: KeptKeys | null = null
let isWatching = false
let reading = 0
const listeners = new Set<() => void>()

function publish(next: KeptKeys | null): void {
  keys = next
  for (const listener of listeners) listener()
}

async function read(): Promise<void> {
  reading += 1
  const mine = reading
  // Loads the module on demand, because it brings the code for the formats of keys with it.
  const { listKeys } = await import('./key-store.ts')
  const found = new Map((await listKeys()).map((key) => [key.bundleId, key]))
  if (mine === reading) publish(found)
}

const reload = () => void read().catch(reportError)

function watch(): void {
  if (isWatching) return
  isWatching = true
  onKeysChanged(reload)
  subscribeSession(() => {
    publish(null)
    reload()
  })
  reload()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  watch()
  return () => void listeners.delete(listener)
}

const nothing = () => () => undefined
const none = () => null

/**
 * Returns the key of a bundle that this browser stores for the current user. Returns `undefined` if there is no key,
 * and `null` without `bundleId` or until the keys are read.
 * @param bundleId `null` for a share that is not encrypted
 */
export function useKeptKey(bundleId: string | null): KeptKey | undefined | null {
  const known = useSyncExternalStore(
    bundleId === null ? nothing : subscribe,
    bundleId === null ? none : () => keys,
  )
  return bundleId === null || known === null ? null : known.get(bundleId)
}
