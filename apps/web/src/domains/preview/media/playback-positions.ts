import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'

const KEY = 'dropleaf.media-positions'
const REMEMBERED = 100
/** Shorter recordings begin at their beginning. */
const MIN_SECONDS = 60
/** So near to an end, one has seen it. */
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

/** The same file wherever it is met: its name and its size. */
export const mediaKey = ({ name, sizeBytes }: { name: string; sizeBytes: number }): string =>
  `${name} ${sizeBytes}`

/** Where somebody left off, in seconds; 0 for the beginning. */
export const findPosition = (file: string): number =>
  readPositions().find(([known]) => known === file)?.[1] ?? 0

/** Remembers where somebody is. The beginning and the end are not remembered, nor what is short. */
export function keepPosition(file: string, seconds: number, durationSeconds: number): void {
  const others = readPositions().filter(([known]) => known !== file)
  const isWorthIt =
    durationSeconds >= MIN_SECONDS && seconds > END_SECONDS && seconds < durationSeconds - END_SECONDS
  const positions = isWorthIt ? [...others, [file, Math.floor(seconds)] as const] : others
  writeStored(KEY, positions.length === 0 ? null : JSON.stringify(positions.slice(-REMEMBERED)))
}
