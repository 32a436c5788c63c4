import { PART_MAX_BYTES, PART_MIN_BYTES, type PartPlan, PARTS_MAX, planParts } from '@dropleaf/storage'

/**
 * Divides a file into parts of the client's preferred size if the storage allows this size. Otherwise, divides the file
 * into parts of the smallest possible size.
 */
export function planUpload(sizeBytes: number, preferredPartBytes: number | null): PartPlan {
  const preferred = preferredPartBytes ?? 0
  const partCount = Math.max(1, Math.ceil(sizeBytes / Math.max(1, preferred)))
  const isFit = preferred >= PART_MIN_BYTES && preferred <= PART_MAX_BYTES && partCount <= PARTS_MAX
  return isFit ? { partSizeBytes: preferred, partCount } : planParts(sizeBytes)
}

/** Returns the size of a part. The last part contains the remaining bytes. All other parts have `partSizeBytes`. */
export function sizeOfPart(
  plan: { sizeBytes: number; partSizeBytes: number; partCount: number },
  partNumber: number,
): number {
  if (partNumber < plan.partCount) return plan.partSizeBytes
  return plan.sizeBytes - (plan.partCount - 1) * plan.partSizeBytes
}

/** Formats ascending numbers like `1-3, 7, 9-10`, truncated after `limit` runs. */
export function spellNumbers(numbers: readonly number[], limit = 20): string {
  const runs: Array<{ first: number; last: number }> = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run && run.last + 1 === number) run.last = number
    else runs.push({ first: number, last: number })
  }
  const spelled = runs
    .slice(0, limit)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
  return [...spelled, ...(runs.length > limit ? ['…'] : [])].join(', ')
}

/** Returns an etag without quotes. */
export const plainEtag = (text: string): string => text.trim().replace(/^(?:W\/)?"(.*)"$/, '$1')
