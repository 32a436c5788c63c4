import { SEARCH_MATCHES_MAX } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { walk } from '../../../storage/walk.ts'
import { driverOf, getConfig } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import type { MatchRow } from '../../foundation/object-index/find-by-name.usecases.ts'
import { foldName, nameOf } from '../../foundation/object-index/object-index.models.ts'
import type { Target } from './search.models.ts'

/** Time limit for searching a storage that is not completely indexed, in milliseconds. */
const LIVE_MS = 2000

/**
 * Searches file names by listing the storage, within a time limit. After a failure, returns the matches found so far.
 */
export async function findLive(
  ctx: Needs<'db' | 'log' | 'storage'>,
  target: Target,
  text: string,
): Promise<MatchRow[]> {
  const signal = AbortSignal.timeout(LIVE_MS)
  const found: MatchRow[] = []
  try {
    const driver = await driverOf(ctx, await getConfig(ctx, target.configId))
    for await (const { objects } of walk(driver, { prefix: target.prefix, signal })) {
      for (const { key, sizeBytes, modifiedAtMs } of objects) {
        const folded = key.endsWith('/') ? '' : foldName(nameOf(key))
        if (folded.includes(text))
          found.push({ key, folded, size_bytes: sizeBytes, modified_at_ms: modifiedAtMs })
      }
      if (found.length >= SEARCH_MATCHES_MAX || signal.aborted) break
    }
  } catch (error) {
    if (!signal.aborted)
      ctx.log.warn({ err: error, config: target.configId }, 'a storage could not be searched')
  }
  return found
}
