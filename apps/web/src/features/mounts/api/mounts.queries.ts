import { mountRoutes, searchRoutes, type IndexStatus, type Mount } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { withDisplayName } from '../../../domains/storages/display-name.ts'
import type { MountFields } from '../models/mount-form.ts'
import type { OrderChange } from '../models/mount-order.ts'

const POLL_MS = 1000

export const mountQueries = {
  /** All mounts, in the order of the explorer. */
  all: () =>
    queryOptions({
      queryKey: ['mounts', 'all'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }): Promise<Mount[]> => (await api(mountRoutes.adminList, { signal })).data,
      select: (mounts) => mounts.map(withDisplayName),
    }),
  /** State of each storage's index. Polls every second while `isWatched` returns true, otherwise every `quietMs`. */
  indexes: (isWatched: (statuses: readonly IndexStatus[]) => boolean, quietMs: number | false = false) =>
    queryOptions({
      queryKey: ['mounts', 'indexes'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }): Promise<IndexStatus[]> =>
        (await api(searchRoutes.indexes, { signal })).data,
      refetchInterval: ({ state }) => (isWatched(state.data ?? []) ? POLL_MS : quietMs),
    }),
}

export const createMount = (fields: MountFields) =>
  api(mountRoutes.create, { body: { ...fields, storage_type: 'S3' } })

export const updateMount = (id: string, fields: Partial<MountFields>) =>
  api(mountRoutes.update, { params: { id }, body: fields })

export const deleteMount = (id: string) => api(mountRoutes.remove, { params: { id } })

/** Saves the changes one after the other. Stops at a failure, and the changes that were already saved remain. */
export async function saveOrder(changes: readonly OrderChange[]): Promise<void> {
  for (const { id, sort_order } of changes) await updateMount(id, { sort_order })
}

export const indexNow = async (configId: string): Promise<IndexStatus> =>
  (await api(searchRoutes.rebuild, { params: { configId } })).data
