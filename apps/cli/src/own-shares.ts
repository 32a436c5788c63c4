import { fileRoutes, managedPasteRoutes, PAGE_SIZE_MAX, shareRoutes } from '@dropleaf/contract'
import { call, type Connection } from './client.ts'
import { CliError, hasCode } from './errors.ts'
import { bundleLink, fileLink, textLink } from './links.ts'
import { oneLine } from './terminal.ts'

/** A share created with the API key. */
export interface OwnShare {
  readonly kind: 'text' | 'file' | 'bundle'
  readonly id: string
  readonly slug: string
  readonly link: string
  /** Name of a file; remark or first words of a text; title or remark of a bundle. */
  readonly name: string
  readonly size: number | null
  readonly views: number
  readonly max_views: number | null
  readonly has_password: boolean
  /** Whether the share is end-to-end encrypted. The link of such a share is listed without its key. */
  readonly is_encrypted: boolean
  readonly created_at: string
  readonly expires_at: string | null
}

interface Wanted {
  readonly limit: number
  readonly search?: string
}

const NAME_MAX_CHARACTERS = 60
const nameOf = (text: string) => oneLine(text).slice(0, NAME_MAX_CHARACTERS)

/** Loads pages of a list until there are enough entries. */
async function gather<T>(
  limit: number,
  read: (page: { limit: number; offset: number }) => Promise<{ rows: readonly T[]; hasMore: boolean }>,
): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const { rows, hasMore } = await read({
      limit: Math.min(PAGE_SIZE_MAX, limit - all.length),
      offset: all.length,
    })
    all.push(...rows)
    if (!hasMore || rows.length === 0 || all.length >= limit) return all
  }
}

async function texts(connection: Connection, { limit, search }: Wanted): Promise<OwnShare[]> {
  const rows = await gather(limit, async (page) => {
    const { data, pagination } = await call(connection, managedPasteRoutes.userList, {
      query: { ...page, search: search ?? null },
    })
    return { rows: data, hasMore: pagination.hasMore }
  })
  return rows.map((row) => ({
    kind: 'text',
    id: row.id,
    slug: row.slug,
    link: textLink(connection.server, row.slug),
    name: nameOf(row.remark ?? row.content),
    size: null,
    views: row.views,
    max_views: row.max_views,
    has_password: row.has_password === 1,
    is_encrypted: false,
    created_at: row.created_at,
    expires_at: row.expires_at,
  }))
}

async function files(connection: Connection, { limit, search }: Wanted): Promise<OwnShare[]> {
  const rows = await gather(limit, async (page) => {
    const { data } = await call(connection, fileRoutes.userList, {
      query: { ...page, search: search ?? null },
    })
    return { rows: data.files, hasMore: data.pagination.hasMore }
  })
  return rows.map((row) => ({
    kind: 'file',
    id: row.id,
    slug: row.slug,
    link: fileLink(connection.server, row.slug),
    name: nameOf(row.filename),
    size: row.size,
    views: row.views,
    max_views: row.max_views,
    has_password: row.has_password,
    is_encrypted: false,
    created_at: row.created_at,
    expires_at: row.expires_at,
  }))
}

/** Response status of older servers, which have no bundles. */
const UNKNOWN_ROUTE = 404

async function bundles(connection: Connection, { limit, search }: Wanted): Promise<OwnShare[]> {
  const rows = await gather(limit, async (page) => {
    const query = { ...page, kind: 'bundle' as const, search: search ?? null }
    const { data } = await call(connection, shareRoutes.list, { query })
    return { rows: data.shares, hasMore: data.pagination.hasMore }
  }).catch((error: unknown) => {
    if (error instanceof CliError && error.status === UNKNOWN_ROUTE) return []
    throw error
  })
  return rows.map((row) => ({
    kind: 'bundle',
    id: row.id,
    slug: row.slug,
    link: bundleLink(connection.server, row.slug),
    name: nameOf(row.title ?? row.remark ?? ''),
    size: row.size,
    views: row.views,
    max_views: row.max_views,
    has_password: row.has_password,
    // Older servers do not send the field `sealed`.
    is_encrypted: typeof row.sealed === 'number',
    created_at: row.created_at,
    expires_at: row.expires_at,
  }))
}

const isForbidden = (read: PromiseSettledResult<unknown>) =>
  read.status === 'rejected' && hasCode(read.reason, 'auth.forbidden')

/**
 * Lists the texts, files and bundles of an API key, newest first. Omits kinds for which the key has no permission.
 * @throws {CliError}
 */
export async function listOwn(connection: Connection, wanted: Wanted): Promise<OwnShare[]> {
  const read = await Promise.allSettled([
    texts(connection, wanted),
    files(connection, wanted),
    bundles(connection, wanted),
  ])
  const [ofTexts, ofFiles] = read
  // A key without the permissions for texts and files cannot create bundles either.
  const isUseless = isForbidden(ofTexts) && isForbidden(ofFiles)
  for (const one of read) if (one.status === 'rejected' && (isUseless || !isForbidden(one))) throw one.reason
  return read
    .flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
    .slice(0, wanted.limit)
}
