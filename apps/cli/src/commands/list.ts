import { readCount } from '../options.ts'
import { type OwnShare, listOwn } from '../own-shares.ts'
import { formatBytes } from '../progress.ts'
import { connect, printJson, type Run } from '../run.ts'

const LIMIT = 50
const LIMIT_MAX = 100_000

const minuteOf = (instant: string) => instant.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')

/** Formats a share as columns separated by tabs: link, size, views, expiry, protection, name. */
const lineOf = ({ link, size, views, max_views, expires_at, has_password, name }: OwnShare) =>
  [
    link,
    size === null ? '-' : formatBytes(size),
    max_views === null ? String(views) : `${views}/${max_views}`,
    expires_at === null ? '-' : minuteOf(expires_at),
    has_password ? '*' : '-',
    name,
  ].join('\t')

/** Lists the shares created with the API key. */
export async function listShares(run: Run): Promise<void> {
  const limit = readCount('--limit', run.options.limit, LIMIT_MAX) ?? LIMIT
  const shares = await listOwn(await connect(run), { limit })
  if (run.options.json) printJson(run, shares)
  else if (shares.length === 0) run.note('list.empty')
  else for (const share of shares) run.print(lineOf(share))
}
