/** Time span over which the speed is measured: long enough for a steady value, short enough to follow changes. */
const WINDOW_MS = 5000
const STILL_MS = 10_000
const MIN_SPAN_MS = 500
/** Minimum interval between samples. */
const GRAIN_MS = 100

interface Sample {
  readonly atMs: number
  readonly sentBytes: number
}

export interface Rate {
  readonly bytesPerSecond: number | null
  readonly remainingSeconds: number | null
  /** Whether no bytes were sent for so long that the earlier speed is meaningless. */
  readonly isStill: boolean
}

export const NO_RATE: Rate = { bytesPerSecond: null, remainingSeconds: null, isStill: false }

/** Measures the speed over the last seconds, and estimates the remaining time. */
export function createRateMeter(totalBytes: number) {
  let samples: Sample[] = []
  return {
    add(sample: Sample): void {
      const last = samples.at(-1)
      // Discards earlier samples when a part is sent again, because the number of sent bytes decreases.
      if (last && sample.sentBytes < last.sentBytes) samples = []
      else if (last && samples.length > 1 && sample.atMs - last.atMs < GRAIN_MS) samples.pop()
      samples.push(sample)
      const oldest = samples.findIndex(({ atMs }) => sample.atMs - atMs <= WINDOW_MS)
      samples = samples.slice(oldest)
    },
    read(nowMs: number): Rate {
      const [first] = samples
      const last = samples.at(-1)
      if (last && nowMs - last.atMs > STILL_MS) return { ...NO_RATE, isStill: true }
      const spanMs = first ? nowMs - first.atMs : 0
      if (!first || !last || spanMs < MIN_SPAN_MS) return NO_RATE
      const bytesPerSecond = ((last.sentBytes - first.sentBytes) * 1000) / spanMs
      const leftBytes = totalBytes - last.sentBytes
      return {
        bytesPerSecond,
        remainingSeconds: bytesPerSecond > 0 ? Math.ceil(leftBytes / bytesPerSecond) : null,
        isStill: false,
      }
    },
  }
}
