import { rowStatusOf } from '../../../domains/transfers/rows/row-status.ts'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'

/** Announcement of upload progress to screen readers. Results are announced as notices. */
export type Announcement =
  | { readonly kind: 'started' | 'cancelled'; readonly count: number }
  | { readonly kind: 'part'; readonly share: number }

/** Minimum time between announcements. Screen readers need about this long for a few words. */
const MIN_GAP_MS = 3000
const QUARTERS = 4

interface Run {
  readonly ids: ReadonlySet<string>
  quarters: number
  cancelled: number
  saidAtMs: number
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function shareOf(items: readonly UploadEntry[]): number {
  const total = sum(items.map(({ sizeBytes }) => sizeBytes))
  const sent = sum(
    items.map(({ state, sizeBytes, sentBytes }) => (state === 'completed' ? sizeBytes : sentBytes)),
  )
  return total === 0 ? 0 : sent / total
}

/**
 * Returns a function to call with every change of the list. The function returns the current announcement: the start,
 * each quarter, or cancellations; `null` if there is nothing to announce.
 */
export function announceProgress(
  nowMs: () => number,
): (items: readonly UploadEntry[]) => Announcement | null {
  let run: Run | null = null
  let said: Announcement | null = null
  return (items) => {
    const going = items.filter((entry) => rowStatusOf(entry) === 'uploading')
    if (run === null || going.some(({ key }) => run?.ids.has(key) === false)) {
      if (going.length === 0) return said
      const ids = new Set([...(run?.ids ?? []), ...going.map(({ key }) => key)])
      run = { ids, quarters: 0, cancelled: 0, saidAtMs: nowMs() }
      said = { kind: 'started', count: going.length }
      return said
    }
    const { ids } = run
    const ours = items.filter(({ key }) => ids.has(key))
    const cancelled = ours.filter(({ state }) => state === 'aborted').length
    const quarters = Math.floor(shareOf(ours) * QUARTERS)
    const isDue = nowMs() - run.saidAtMs >= MIN_GAP_MS && quarters < QUARTERS
    if (cancelled > run.cancelled) {
      said = { kind: 'cancelled', count: cancelled }
    } else if (going.length === 0) {
      said = null
    } else if (quarters < run.quarters) {
      // The progress can decrease after a lost connection or an expired session.
      said = { kind: 'started', count: going.length }
      run.quarters = quarters
      run.saidAtMs = nowMs()
    } else if (quarters > run.quarters && isDue) {
      said = { kind: 'part', share: quarters / QUARTERS }
      run.quarters = quarters
      run.saidAtMs = nowMs()
    }
    run.cancelled = cancelled
    if (going.length === 0) run = null
    return said
  }
}
