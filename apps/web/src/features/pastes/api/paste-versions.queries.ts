import { pasteRevisionRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'

const versionsKey = (id: string) => ['paste-versions', id] as const

export const versionQueries = {
  /** Earlier versions, newest first, without the current version. */
  list: (id: string) =>
    queryOptions({
      queryKey: versionsKey(id),
      meta: { isPrivate: true },
      gcTime: 0,
      queryFn: async ({ signal }) => {
        const { data } = await api(pasteRevisionRoutes.list, { params: { id }, signal })
        return data
      },
    }),
  /** A past version never changes. */
  one: (id: string, revision: string) =>
    queryOptions({
      queryKey: [...versionsKey(id), revision],
      meta: { isPrivate: true },
      staleTime: Infinity,
      gcTime: 0,
      queryFn: async ({ signal }) => {
        const { data } = await api(pasteRevisionRoutes.read, { params: { id, revision }, signal })
        return data
      },
    }),
}

export const restoreVersion = (id: string, revision: string) =>
  api(pasteRevisionRoutes.restore, { params: { id, revision } })

/** @returns the number of deleted versions */
export async function forgetVersions(id: string): Promise<number> {
  const { data } = await api(pasteRevisionRoutes.forget, { params: { id } })
  return data.deleted
}
