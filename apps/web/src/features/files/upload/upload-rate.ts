/** Long enough to be steady, short enough to follow a changing line. */
const WINDOW_MS = 4000
const MIN_SPAN_MS = 300

interface Sample {
  readonly atMs: number
  readonly sentBytes: number
}

export interface Rate {
  readonly bytesPerSecond: number | null
  readonly remainingSeconds: number | null
}

/** Measures speed over the last seconds, and the time left at that speed. */
export function createRateMeter(totalBytes: number) {
  let samples: readonly Sample[] = []
  return {
    add(sample: Sample): Rate {
      samples = [...samples, sample].filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS)
      const [first] = samples
      const spanMs = first ? sample.atMs - first.atMs : 0
      if (!first || spanMs < MIN_SPAN_MS) return { bytesPerSecond: null, remainingSeconds: null }
      const bytesPerSecond = ((sample.sentBytes - first.sentBytes) * 1000) / spanMs
      const leftBytes = totalBytes - sample.sentBytes
      const remainingSeconds = bytesPerSecond > 0 ? Math.ceil(leftBytes / bytesPerSecond) : null
      return { bytesPerSecond, remainingSeconds }
    },
  }
}
