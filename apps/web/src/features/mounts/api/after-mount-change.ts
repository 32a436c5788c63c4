import type { QueryClient } from '@tanstack/react-query'
import { visibleMounts } from '../../../domains/storages/mount-queries.ts'
import { mountQueries } from './mounts.queries.ts'

/** Removes cached data of the explorer and the search, which depend on mounts. Refreshes the list of mounts. */
export async function afterMountChange(client: QueryClient): Promise<void> {
  client.removeQueries({ queryKey: ['fs'], type: 'inactive' })
  client.removeQueries({ queryKey: ['search'], type: 'inactive' })
  client.removeQueries({ queryKey: visibleMounts().queryKey, type: 'inactive' })
  await client.invalidateQueries({ queryKey: mountQueries.all().queryKey })
}
