import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'

const KEY = 'dropleaf.media-positions'
const REMEMBERED = 100
/**
 * Minimum duration of a recording whose position is stored, in seconds. Shorter recordings always start at the
 * beginning.
 */
const MIN_SECONDS = 60
/** A recording counts as watched within this distance from its end, in seconds. */
const END_SECONDS = 10

type Positions = readonly (readonly [file: string, seconds: number])[]

function readPositions(): Positions {
  const stored = readStoredJson(KEY)
  if (!Array.isArray(stored)) return []
  return stored.filter(
    (entry: unknown): entry is [string, number] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && Number.isFinite(entry[1]),
  )
}

export const mediaKey = ({ name, sizeBytes }: { name: string; sizeBytes: number }): string =>
  `${name} ${sizeBytes}`

/** Returns the resume position in seconds; 0 means the beginning. */
export const findPosition = (file: string): number =>
  readPositions().find(([known]) => known === file)?.[1] ?? 0

/**
 * Stores the position. Near the beginning or end and for short recordings, removes the stored position instead.
 */
export function storePosition(file: string, seconds: number, durationSeconds: number): void {
  const others = readPositions().filter(([known]) => known !== file)
  const isWorthIt =
    durationSeconds >= MIN_SECONDS && seconds > END_SECONDS && seconds < durationSeconds - END_SECONDS
  const positions = isWorthIt ? [...others, [file, Math.floor(seconds)] as const] : others
  writeStored(KEY, positions.length === 0 ? null : JSON.stringify(positions.slice(-REMEMBERED)))
}
