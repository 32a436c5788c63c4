import type { FileDetail, InputOf, PublicFile } from '@dropleaf/contract'
import { fileRoutes } from '@dropleaf/contract'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { routeUrl } from '../../../domains/api/route-url.ts'
import { serverAddress } from '../../../lib/server-address.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { getSession } from '../../../domains/session/session.ts'
import { fileQueries } from './files.queries.ts'

type FileChanges = InputOf<typeof fileRoutes.adminUpdate, 'body'>

const isAdmin = () => getSession().kind === 'admin'

/** Unlocks a protected share. A correct password counts a view. */
export async function unlockFile(slug: string, password: string): Promise<PublicFile> {
  return (await api(fileRoutes.publicVerify, { params: { slug }, body: { password } })).data
}

/** Deletes a share. @throws {ApiError} also if the response is successful but reports a failure for this share */
export async function deleteFile(id: string): Promise<void> {
  const route = isAdmin() ? fileRoutes.adminBatchDelete : fileRoutes.userBatchDelete
  const { data } = await api(route, { body: { ids: [id] } })
  const [failure] = data.failed
  if (failure) throw new ApiError({ kind: 'http', code: 'client.unknown', message: failure.error })
}

export async function updateFile(client: QueryClient, id: string, changes: FileChanges): Promise<FileDetail> {
  const route = isAdmin() ? fileRoutes.adminUpdate : fileRoutes.userUpdate
  await api(route, { params: { id }, body: changes })
  return client.fetchQuery(fileQueries.detail(id))
}

/** URL of the bytes of an unprotected share. */
export const directUrl = (slug: string): string =>
  new URL(routeUrl(fileRoutes.download.path, { params: { slug } }), serverAddress()).href
