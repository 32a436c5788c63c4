import { SEARCH_MATCHES_MAX } from '@dropleaf/contract'
import type { AppContext } from '../../context.ts'
import { driverOf, getConfig } from '../storage-configs/storage-configs.usecases.ts'
import type { MatchRow } from './matches.repository.ts'
import { foldName, nameOf } from './object-index.models.ts'
import type { Target } from './search.models.ts'

/** How long a search goes through a storage that the index does not know whole. */
const LIVE_MS = 2000
const LIVE_PAGE = 1000

async function* walk(ctx: AppContext, target: Target, signal: AbortSignal) {
  const driver = await driverOf(ctx, await getConfig(ctx, target.configId))
  let cursor: string | undefined
  do {
    const page = await driver.list({ prefix: target.prefix, limit: LIVE_PAGE, cursor }, { signal })
    yield page.objects
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

/** Files whose name holds a text, from the storage itself, as far as one comes in a short time. A failure finds nothing more. */
export async function findLive(ctx: AppContext, target: Target, text: string): Promise<MatchRow[]> {
  const signal = AbortSignal.timeout(LIVE_MS)
  const found: MatchRow[] = []
  try {
    for await (const objects of walk(ctx, target, signal)) {
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
