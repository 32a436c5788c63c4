import { bundleRoutes, fileRoutes, managedPasteRoutes } from '@dropleaf/contract'
import { call, type Connection } from '../client.ts'
import { CliError, EXIT, usageError } from '../errors.ts'
import { parseShareName, withoutKey } from '../links.ts'
import { listOwn, type OwnShare } from '../own-shares.ts'
import { connect, printJson, type Run } from '../run.ts'

const FOUND_MAX = 1000

/** @throws {CliError} unless exactly one share matches */
async function findOwn(connection: Connection, link: string): Promise<OwnShare> {
  const { server, kind, slug } = parseShareName(link)
  const named = withoutKey(link)
  if (server !== null && server !== connection.server)
    throw usageError('usage.other_server', { link: named, server: connection.server })
  const found = (await listOwn(connection, { limit: FOUND_MAX, search: slug })).filter(
    (share) => share.slug === slug && (kind === null || share.kind === kind),
  )
  const [share, other] = found
  if (!share)
    throw new CliError({ exitCode: EXIT.notFound, text: 'share.not_found', params: { name: named } })
  if (other) throw usageError('usage.two_shares', { name: named })
  return share
}

async function remove(connection: Connection, { kind, id, link }: OwnShare): Promise<void> {
  if (kind === 'text') {
    await call(connection, managedPasteRoutes.userDelete, { params: { id } })
    return
  }
  const route = kind === 'bundle' ? bundleRoutes.remove : fileRoutes.userBatchDelete
  const { data } = await call(connection, route, { body: { ids: [id] } })
  const [failed] = data.failed
  if (failed) throw new CliError({ exitCode: EXIT.refused, message: `${link}: ${failed.error}` })
}

/** Deletes shares, one after another. Stops at the first error. */
export async function deleteShares(run: Run): Promise<void> {
  if (run.names.length === 0) throw usageError('usage.share')
  const connection = await connect(run)
  for (const name of run.names) {
    const share = await findOwn(connection, name)
    await remove(connection, share)
    if (run.options.json) printJson(run, { deleted: share.link })
    else run.note('delete.done', { name: share.link })
  }
}
