import type { CacheFigures } from '@dropleaf/contract'

interface Entry<Value> {
  readonly value: Value
  readonly expiresAtMs: number
  readonly weight: number
}

/** A bounded map whose entries run out; the oldest go first. Keeps count of its use for the dashboard. */
export class ExpiringCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #name: string
  readonly #capacity: number
  readonly #maxWeight: number
  #weight = 0
  #hits = 0
  #misses = 0
  #expired = 0
  #invalidations = 0
  #pruned = 0

  /** @param maxWeight of all entries together, in the unit of the weights given. */
  constructor({
    name,
    capacity,
    maxWeight = Infinity,
  }: {
    name: string
    capacity: number
    maxWeight?: number
  }) {
    this.#name = name
    this.#capacity = capacity
    this.#maxWeight = maxWeight
  }

  #drop(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
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
      this.#drop(key)
    }
    return undefined
  }

  /** What weighs more than the whole may is not kept. */
  set(key: string, value: Value, expiresAtMs: number, weight = 0): void {
    this.#drop(key)
    if (weight > this.#maxWeight) return
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#capacity && this.#weight + weight <= this.#maxWeight) break
      this.#drop(oldest)
      this.#pruned += 1
    }
    this.#entries.set(key, { value, expiresAtMs, weight })
    this.#weight += weight
  }

  /** Drops what `matches`, or everything. Returns how many. */
  clear(matches: (key: string) => boolean = () => true): number {
    let cleared = 0
    for (const key of this.#entries.keys()) {
      if (matches(key)) {
        this.#drop(key)
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
