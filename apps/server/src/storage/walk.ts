import { type ListPage, parseFolderKey, type StorageDriver } from '@dropleaf/storage'

const PAGE = 1000

interface Walk {
  readonly prefix: string
  readonly cursor?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly pageSize?: number
}

/**
 * Yields every object whose key starts with `prefix`, including folder markers, in pages sorted by key. `cursor`
 * resumes after a page. `unnamed` lists keys that no path can address; callers that process everything must report
 * them.
 */
export async function* walk(
  driver: StorageDriver,
  { prefix, cursor, signal, pageSize = PAGE }: Walk,
): AsyncGenerator<Pick<ListPage, 'objects' | 'unnamed' | 'nextCursor'>> {
  let next: string | null | undefined = cursor
  do {
    const page = await driver.list({ prefix, limit: pageSize, cursor: next ?? undefined }, { signal })
    yield page
    next = page.nextCursor
  } while (next !== null)
}

/** Whether a folder exists, see `StorageDriver.statFolder`. `prefix` ends in a slash, or is empty for the root. */
export const folderExists = async (
  driver: StorageDriver,
  prefix: string,
  signal?: AbortSignal,
): Promise<boolean> => prefix === '' || (await driver.statFolder(parseFolderKey(prefix), { signal })) !== null
