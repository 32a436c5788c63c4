/** Expected state of an item: hash of its bytes, or `null` if the item should be missing. */
export type State = string | null

/**
 * Expected states, by what was acknowledged. Several states mean that the response to the last change was lost: each
 * of them is correct until an audit finds the actual state.
 */
export type States = Map<string, ReadonlySet<State>>

export interface Counted {
  readonly content: string
  readonly limit: number
  /** Number of completed responses. */
  reads: number
  /** Number of requests without a response, including requests that never get a response. */
  open: number
}

/** After a move, the bytes must be at one of the two paths at least. */
interface Move {
  readonly hash: string
  readonly paths: readonly [string, string]
}

export interface Ledger {
  readonly texts: States
  readonly shares: States
  /** Hash of what readers of a bundle see, keyed by link suffix. */
  readonly bundles: States
  /** Files of the mount, by virtual path. */
  readonly files: States
  readonly folders: Set<string>
  readonly counted: Map<string, Counted>
  moves: Move[]
  /** Sizes of the recorded contents, by hash. */
  readonly sizes: Map<string, number>
  acknowledged: number
  readonly byOperation: Map<string, number>
  /** Number of refusals by the running server, keyed by message. */
  readonly refusals: Map<string, number>
  readonly faults: string[]
  bytesLost: number
}

export const createLedger = (): Ledger => ({
  texts: new Map(),
  shares: new Map(),
  bundles: new Map(),
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

/** Changes that were requested but not acknowledged yet. Each of these changes may or may not have happened. */
export class Change {
  readonly #after: Array<{ states: States; name: string; state: State }> = []

  /** @param state the state after the change */
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

/** Returns the state of an item, or `undefined` if the state is uncertain. */
export function certain(states: States, name: string): State | undefined {
  const known = states.get(name)
  if (known === undefined) return null
  return known.size === 1 ? [...known][0] : undefined
}

/** Records a fault if the actual state is not among the possible states, and then stores only the actual state. */
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
