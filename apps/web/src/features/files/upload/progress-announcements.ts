import { isCancelled, isUnderWay, type UploadItem } from './upload-item.ts'

/** Announcements of upload progress to screen readers. Notices announce the results. */
export type Announcement =
  | { readonly kind: 'started' | 'cancelled'; readonly count: number }
  | { readonly kind: 'part'; readonly share: number }

/** Screen readers take about this long for a few words. */
const MIN_GAP_MS = 3000
const QUARTERS = 4

interface Run {
  readonly ids: ReadonlySet<string>
  quarters: number
  cancelled: number
  saidAtMs: number
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function shareOf(items: readonly UploadItem[]): number {
  const total = sum(items.map(({ file }) => file.size))
  const sent = sum(items.map(({ status, sentBytes, file }) => (status === 'success' ? file.size : sentBytes)))
  return total === 0 ? 0 : sent / total
}

/** Gets every change of the list, and returns what to announce: the start, each quarter, and cancellations. */
export function announceProgress(nowMs: () => number): (items: readonly UploadItem[]) => Announcement | null {
  let run: Run | null = null
  let said: Announcement | null = null
  return (items) => {
    const going = items.filter(isUnderWay)
    if (run === null || going.some(({ id }) => run?.ids.has(id) === false)) {
      if (going.length === 0) return said
      const ids = new Set([...(run?.ids ?? []), ...going.map(({ id }) => id)])
      run = { ids, quarters: 0, cancelled: 0, saidAtMs: nowMs() }
      said = { kind: 'started', count: going.length }
      return said
    }
    const { ids } = run
    const ours = items.filter(({ id }) => ids.has(id))
    const cancelled = ours.filter(isCancelled).length
    const quarters = Math.floor(shareOf(ours) * QUARTERS)
    const isDue = nowMs() - run.saidAtMs >= MIN_GAP_MS && quarters < QUARTERS
    if (cancelled > run.cancelled) {
      said = { kind: 'cancelled', count: cancelled }
    } else if (going.length === 0) {
      said = null
    } else if (quarters < run.quarters) {
      // After a lost connection or session the progress starts from the beginning.
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
