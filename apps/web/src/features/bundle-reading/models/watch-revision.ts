/** How often an open page asks whether there is a newer revision. */
export const WATCH_MS = 60_000

interface Watched {
  /** Revision that the page shows. */
  readonly revision: number
  /**
   * Queries the current revision. Returns `null` if it is temporarily unknown, `ended` if the bundle or the ticket is
   * no longer valid.
   */
  readonly ask: () => Promise<number | 'ended' | null>
  /** Called once for each newer revision. */
  readonly onNewer: (revision: number) => void
}

/**
 * Queries the current revision once a minute while the page is visible. Also queries it at once when the page becomes
 * visible after more than a minute.
 * @returns a function that stops the queries
 */
export function watchRevision({ revision, ask, onNewer }: Watched): () => void {
  let known = revision
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
  wait()
  return stop
}
