import { useSyncExternalStore } from 'react'
import { onSessionEnd } from '../../../domains/session/session.ts'
import { beforeWrites } from '../../../domains/transfers/tasks/before-writes.ts'
import type { Outcome } from '../api/fs.api.ts'
import { removePaths } from '../api/fs.api.ts'

/**
 * How long a removal can be undone. The request is sent after this time, or earlier when the page is hidden or another
 * write starts.
 */
export const UNDO_MS = 6000

interface Removal {
  readonly id: number
  readonly paths: readonly string[]
  readonly timer: ReturnType<typeof setTimeout>
  readonly onDone: (outcome: Outcome) => void
  readonly onFailed: (error: unknown) => void
  /** Called when the user undoes the removal, by notice or key. */
  readonly onUndone?: () => void
  /** Called when the session has ended before the request, so that nothing was removed. */
  readonly onEnded?: () => void
}

const NONE: ReadonlySet<string> = new Set()

let waiting: readonly Removal[] = []
/** Paths whose removal is pending or running. */
let hidden = NONE
let sending: readonly Removal[] = []
const inFlight = new Set<Promise<void>>()
let lastId = 0
const listeners = new Set<() => void>()

function publish() {
  const paths = [...waiting, ...sending].flatMap((removal) => removal.paths)
  hidden = paths.length === 0 ? NONE : new Set(paths)
  for (const listener of listeners) listener()
}

async function send(removal: Removal): Promise<void> {
  clearTimeout(removal.timer)
  waiting = waiting.filter((other) => other !== removal)
  sending = [...sending, removal]
  try {
    removal.onDone(await removePaths(removal.paths))
  } catch (error) {
    removal.onFailed(error)
  } finally {
    sending = sending.filter((other) => other !== removal)
    publish()
  }
}

function begin(removal: Removal): void {
  const work = send(removal).finally(() => inFlight.delete(work))
  inFlight.add(work)
}

/**
 * Sends pending removals and waits for them. Other writes call this first, because a later removal could delete their
 * result.
 */
export async function flushRemovals(): Promise<void> {
  for (const removal of waiting) begin(removal)
  await Promise.all(inFlight)
}
beforeWrites(flushRemovals)

/**
 * Hides entries at once, and removes them after {@link UNDO_MS}.
 * @returns an id for {@link undoRemoval}
 */
export function removeSoon(removal: Omit<Removal, 'id' | 'timer'>): number {
  lastId += 1
  const next: Removal = { ...removal, id: lastId, timer: setTimeout(() => begin(next), UNDO_MS) }
  waiting = [...waiting, next]
  publish()
  return next.id
}

/**
 * Cancels a removal.
 * @returns the removal; `null` if it was no longer pending
 */
function takeBack(id: number): Removal | null {
  const removal = waiting.find((other) => other.id === id)
  if (!removal) return null
  clearTimeout(removal.timer)
  waiting = waiting.filter((other) => other !== removal)
  publish()
  return removal
}

/** @returns whether the removal was still pending */
export function undoRemoval(id: number): boolean {
  const removal = takeBack(id)
  removal?.onUndone?.()
  return removal !== null
}

/** Id of the latest pending removal; `null` if none is pending. */
export const lastRemoval = (): number | null => waiting.at(-1)?.id ?? null

/** Paths that are hidden because they are being removed. */
export const usePendingRemovals = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hidden,
    () => hidden,
  )

if (typeof document !== 'undefined') {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void flushRemovals()
  })
  window.addEventListener('pagehide', () => void flushRemovals())
  onSessionEnd(() => {
    for (const { id } of waiting) takeBack(id)?.onEnded?.()
  })
}
