import type { IndexStatus } from '@dropleaf/contract'

interface Findable {
  readonly name: string
  readonly mount_path: string
  readonly remark: string | null
}

/** Returns the mounts whose name, path, remark or storage contains the text, ignoring case. */
export function searchMounts<M extends Findable>(
  mounts: readonly M[],
  words: string,
  storageOf: (mount: M) => string,
): readonly M[] {
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return mounts
  return mounts.filter((mount) =>
    [mount.name, mount.mount_path, mount.remark ?? '', storageOf(mount)].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  )
}

/** A request to rebuild an index, with the state of the index at that time. */
export interface IndexRequest {
  readonly configId: string
  readonly startedAt: string | null
  readonly wasRunning: boolean
}

/** Whether a storage's index is being built, or was requested and has not started yet. */
export function isIndexing(status: IndexStatus, request: IndexRequest | undefined): boolean {
  if (status.state === 'crawling') return true
  return request !== undefined && !request.wasRunning && status.startedAt === request.startedAt
}
