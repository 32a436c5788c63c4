import type { Environment } from './environment.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const
const EVERY_MS = 100

/** Formats a size like `12.3 MB`. */
export function formatBytes(bytes: number): string {
  const unit = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** unit
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}

const formatSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

export interface ProgressState {
  readonly doneBytes: number
  readonly totalBytes: number | null
  readonly bytesPerSecond?: number | null
  readonly remainingSeconds?: number | null
}

export interface Progress {
  readonly show: (state: ProgressState) => void
  readonly end: () => void
}

/** Shows progress on a line that overwrites itself, but only in a terminal. */
export function createProgress({ stderr }: Environment, name: string): Progress {
  if (!stderr.isTTY) return { show: () => undefined, end: () => undefined }
  let shownAtMs = 0
  return {
    show({ doneBytes, totalBytes, bytesPerSecond, remainingSeconds }) {
      const nowMs = Date.now()
      if (nowMs - shownAtMs < EVERY_MS) return
      shownAtMs = nowMs
      const parts = [
        totalBytes === null || totalBytes === 0 ? '' : `${Math.floor((100 * doneBytes) / totalBytes)}%`,
        totalBytes === null
          ? formatBytes(doneBytes)
          : `${formatBytes(doneBytes)} / ${formatBytes(totalBytes)}`,
        bytesPerSecond ? `${formatBytes(Math.round(bytesPerSecond))}/s` : '',
        remainingSeconds ? formatSeconds(remainingSeconds) : '',
      ].filter((part) => part !== '')
      stderr.write(`\r\u001B[2K${name}  ${parts.join('  ')}`.slice(0, stderr.columns + 5))
    },
    end: () => void stderr.write('\r\u001B[2K'),
  }
}
