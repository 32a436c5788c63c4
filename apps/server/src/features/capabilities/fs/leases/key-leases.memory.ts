import type { KeyLeasesStore, StoredHold } from './key-leases.repository.ts'

const wordOf = (configId: string, key: string) => `${configId}:${key}`

/** Creates an in-memory lease store for a single process. */
export function createKeyLeases(): KeyLeasesStore {
  const held = new Map<string, StoredHold>()

  function removeWhere(isGone: (hold: StoredHold) => boolean): void {
    for (const [word, hold] of held) if (isGone(hold)) held.delete(word)
  }

  return {
    async takeAll(rows, { owner, nowMs }) {
      const words = rows.map((row): [string, StoredHold] => [
        wordOf(row.storage_config_id, row.storage_key),
        row,
      ])
      const isFree = ([word]: [string, StoredHold]) => {
        const other = held.get(word)
        return !other || other.owner === owner || other.expires_at_ms <= nowMs
      }
      if (!words.every(isFree)) return false
      for (const [word, row] of words) held.set(word, row)
      return true
    },
    async hasAny({ configId, keys, nowMs }) {
      return keys.some((key) => (held.get(wordOf(configId, key))?.expires_at_ms ?? 0) > nowMs)
    },
    async holdersIn({ configId, prefix, nowMs }) {
      const start = wordOf(configId, prefix)
      const holders = new Set<string>()
      for (const [word, { holder, expires_at_ms }] of held)
        if (expires_at_ms > nowMs && word.startsWith(start)) holders.add(holder)
      return holders
    },
    async prolong(holder, expiresAtMs) {
      for (const [word, hold] of held)
        if (hold.holder === holder) held.set(word, { ...hold, expires_at_ms: expiresAtMs })
    },
    async release(holder, configId, keys) {
      for (const key of keys) {
        const word = wordOf(configId, key)
        if (held.get(word)?.holder === holder) held.delete(word)
      }
    },
    releaseAll: async (holder) => removeWhere((hold) => hold.holder === holder),
    deleteExpired: async (nowMs) => removeWhere((hold) => hold.expires_at_ms <= nowMs),
  }
}
