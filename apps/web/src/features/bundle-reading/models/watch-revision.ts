/** Interval at which an open page requests the number of the current revision. */
export const WATCH_MS = 60_000

interface Watched {
  /** Revision that the page shows. */
  readonly revision: number
  /** Number of the current revision when the page was opened. */
  readonly current: number
  /**
   * Requests the current revision. Resolves with `null` if it is temporarily unavailable, or `ended` if it will never
   * be available again.
   */
  readonly ask: () => Promise<number | 'ended' | null>
  /** Called when a newer revision is found, at most once for each revision. */
  readonly onNewer: (revision: number) => void
}

/**
 * Reports a newer revision immediately if it exists. Requests the current revision once a minute while the page is
 * visible, and immediately when the page becomes visible after more than a minute. Stops after `ended`.
 * @returns a function that stops the requests
 */
export function watchRevision({ revision, current: atFirst, ask, onNewer }: Watched): () => void {
  let known = Math.max(revision, atFirst)
  let askedAtMs = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const wait = () => {
    clearTimeout(timer)
    if (isStopped || document.visibilityState !== 'visible') return
    timer = setTimeout(() => void look(), Math.max(0, askedAtMs + WATCH_MS - Date.now()))
  }
  const look = async () => {
    askedAtMs = Date.now()
    const current = await ask().catch(() => null)
    if (isStopped) return
    if (current === 'ended') {
      stop()
      return
    }
    if (current !== null && current > known) {
      known = current
      onNewer(current)
    }
    wait()
  }
  const stop = () => {
    isStopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', wait)
  }
  document.addEventListener('visibilitychange', wait)
  if (atFirst > revision) onNewer(atFirst)
  wait()
  return stop
}
