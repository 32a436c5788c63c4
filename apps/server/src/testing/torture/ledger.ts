/** The hash of the bytes that something may hold; `null`: it may be missing. */
export type State = string | null

/**
 * What there must be, by what was acknowledged. More than one state means that the answer of the last change was lost: any of
 * them is right, until an audit sees which.
 */
export type States = Map<string, ReadonlySet<State>>

export interface Counted {
  readonly content: string
  readonly limit: number
  /** Answers that came to their end. */
  reads: number
  /** Requests whose answer has not come, or never will. */
  open: number
}

/** Bytes that were moved lie at one of the paths at least. */
interface Move {
  readonly hash: string
  readonly paths: readonly [string, string]
}

export interface Ledger {
  readonly texts: States
  readonly shares: States
  /** Files of the mount, by virtual path. */
  readonly files: States
  readonly folders: Set<string>
  readonly counted: Map<string, Counted>
  moves: Move[]
  /** Bytes of what has a hash. */
  readonly sizes: Map<string, number>
  acknowledged: number
  readonly byOperation: Map<string, number>
  /** Answers of the living server that refuse, by what they say. */
  readonly refusals: Map<string, number>
  readonly faults: string[]
  bytesLost: number
}

export const createLedger = (): Ledger => ({
  texts: new Map(),
  shares: new Map(),
  files: new Map(),
  folders: new Set(),
  counted: new Map(),
  moves: [],
  sizes: new Map(),
  acknowledged: 0,
  byOperation: new Map(),
  refusals: new Map(),
  faults: [],
  bytesLost: 0,
})

export const add = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

/** Changes that were asked for and are not acknowledged yet: each may have happened. */
export class Change {
  readonly #after: Array<{ states: States; name: string; state: State }> = []

  /** @param state what it is to be. */
  expect(states: States, name: string, state: State): this {
    const before = states.get(name) ?? new Set<State>([null])
    states.set(name, new Set([...before, state]))
    this.#after.push({ states, name, state })
    return this
  }

  acknowledge(): void {
    for (const { states, name, state } of this.#after) {
      if (state === null) states.delete(name)
      else states.set(name, new Set([state]))
    }
  }
}

/** The one state of something, unless it is in doubt. */
export function certain(states: States, name: string): State | undefined {
  const known = states.get(name)
  if (known === undefined) return null
  return known.size === 1 ? [...known][0] : undefined
}

/** Compares what is there with what may be there, and keeps what was seen. */
export function settle(
  ledger: Ledger,
  { kind, states, name, actual }: { kind: string; states: States; name: string; actual: State },
): void {
  const allowed = states.get(name) ?? new Set<State>([null])
  if (!allowed.has(actual)) {
    const wanted = [...allowed].map((state) => state?.slice(0, 12) ?? 'nothing').join(' or ')
    ledger.faults.push(`${kind} ${name}: ${actual?.slice(0, 12) ?? 'nothing'} instead of ${wanted}`)
    const lost = [...allowed].flatMap((state) => (state === null ? [] : (ledger.sizes.get(state) ?? 0)))
    ledger.bytesLost += allowed.has(null) ? 0 : Math.min(...lost)
  }
  if (actual === null) states.delete(name)
  else states.set(name, new Set([actual]))
}
