import {
  RECONCILIATION_NAMED_MAX,
  type ReconciliationKind,
  type ReconciliationReport,
} from '@dropleaf/contract'

export interface ReconciliationOrder {
  readonly repair: readonly ReconciliationKind[]
  readonly graceMinutes: number
}

const PHASES = ['shares', 'objects', 'parts'] as const
export type Phase = (typeof PHASES)[number]

/** Position of a check: the current storage and phase, and a cursor in it. Storages are ordered by id. */
export interface Position {
  readonly configId: string
  readonly phase: Phase
  /** Id of the last checked share, or the storage's cursor for the next page of objects. */
  readonly after: string | null
}

/** Returns the remaining phases of a storage, and the position at which the first remaining phase resumes. */
export function phasesLeft(
  configId: string,
  position: Position | null,
): ReadonlyArray<[Phase, string | null]> {
  if (position === null || configId > position.configId) return PHASES.map((phase) => [phase, null])
  if (configId < position.configId) return []
  return PHASES.slice(PHASES.indexOf(position.phase)).map((phase) => [
    phase,
    phase === position.phase ? position.after : null,
  ])
}

const none = () => ({ count: 0, bytes: 0, removed: 0 })

export const emptyReport = ({ repair, graceMinutes }: ReconciliationOrder): ReconciliationReport => ({
  graceMinutes,
  repaired: [...repair],
  found: { shares: none(), objects: none(), parts: none(), reservations: none() },
  shares: [],
  objects: [],
})

export function count(
  report: ReconciliationReport,
  kind: ReconciliationKind,
  { count: number, bytes, isRemoved }: { count: number; bytes: number; isRemoved: boolean },
): void {
  const found = report.found[kind]
  found.count += number
  found.bytes += bytes
  if (isRemoved) found.removed += number
}

/** Adds a finding to the list, up to the limit of listed findings. */
export function name<T>(named: T[], one: T): void {
  if (named.length < RECONCILIATION_NAMED_MAX) named.push(one)
}
