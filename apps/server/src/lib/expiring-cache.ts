import type { CacheFigures } from '@dropleaf/contract'

interface Entry<Value> {
  readonly value: Value
  readonly expiresAtMs: number
}

/** A bounded map whose entries run out; the oldest go first. Keeps count of its use for the dashboard. */
export class ExpiringCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #name: string
  readonly #capacity: number
  #hits = 0
  #misses = 0
  #expired = 0
  #invalidations = 0
  #pruned = 0

  constructor({ name, capacity }: { name: string; capacity: number }) {
    this.#name = name
    this.#capacity = capacity
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

  set(key: string, value: Value, expiresAtMs: number): void {
    this.#entries.delete(key)
    const oldest = this.#entries.size >= this.#capacity ? this.#entries.keys().next().value : undefined
    if (oldest !== undefined) {
      this.#entries.delete(oldest)
      this.#pruned += 1
    }
    this.#entries.set(key, { value, expiresAtMs })
  }

  /** Drops what `matches`, or everything. Returns how many. */
  clear(matches: (key: string) => boolean = () => true): number {
    let cleared = 0
    for (const key of this.#entries.keys()) {
      if (matches(key)) {
        this.#entries.delete(key)
        cleared += 1
      }
    }
    this.#invalidations += cleared
    return cleared
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
