import type { CacheFigures } from '@dropleaf/contract'
import { LRUCache } from 'lru-cache'

interface Entry<Value> {
  readonly value: Value
  readonly expiresAtMs: number
  readonly weight: number
}

/**
 * A bounded map whose entries expire. Evicts the least recently used entries first, and counts hits for the dashboard.
 */
export class ExpiringCache<Value> {
  readonly #entries: LRUCache<string, Entry<Value>>
  readonly #name: string
  #hits = 0
  #misses = 0
  #expired = 0
  #invalidations = 0
  #pruned = 0

  /**
   * @param maxWeight limit of the total weight, in the unit of the given weights; an entry that is heavier than this
   * limit is not cached
   */
  constructor({ name, capacity, maxWeight }: { name: string; capacity: number; maxWeight?: number }) {
    this.#name = name
    this.#entries = new LRUCache({
      max: capacity,
      ...(maxWeight !== undefined && {
        maxSize: maxWeight,
        sizeCalculation: ({ weight }) => Math.max(1, weight),
      }),
      dispose: (_value, _key, reason) => {
        if (reason === 'evict') this.#pruned += 1
      },
    })
  }

  get(key: string, nowMs: number): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry && entry.expiresAtMs > nowMs) {
      this.#hits += 1
      return entry.value
    }
    this.#misses += 1
    if (entry) {
      this.#expired += 1
      this.#entries.delete(key)
    }
    return undefined
  }

  set(key: string, value: Value, expiresAtMs: number, weight = 0): void {
    this.#entries.set(key, { value, expiresAtMs, weight })
  }

  /** Removes matching entries, or all entries. @returns the number of removed entries. */
  clear(matches: (key: string) => boolean = () => true): number {
    const cleared = [...this.#entries.keys()].filter(matches)
    for (const key of cleared) this.#entries.delete(key)
    this.#invalidations += cleared.length
    return cleared.length
  }

  figures(): CacheFigures {
    const lookups = this.#hits + this.#misses
    return {
      hits: this.#hits,
      misses: this.#misses,
      expired: this.#expired,
      invalidations: this.#invalidations,
      pruned: this.#pruned,
      cacheSize: this.#entries.size,
      hitRate: lookups === 0 ? 0 : this.#hits / lookups,
      name: this.#name,
    }
  }
}
