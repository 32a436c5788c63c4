import type { QueryClient } from '@tanstack/react-query'
import { visibleMounts } from '../../../domains/storages/mount-queries.ts'
import { mountQueries } from './mounts.queries.ts'

/**
 * Removes the cached data of the explorer and of the search, and the list of visible mounts, unless a rendered
 * component uses them. Refreshes the list of all mounts.
 */
export async function afterMountChange(client: QueryClient): Promise<void> {
  client.removeQueries({ queryKey: ['fs'], type: 'inactive' })
  client.removeQueries({ queryKey: ['search'], type: 'inactive' })
  client.removeQueries({ queryKey: visibleMounts().queryKey, type: 'inactive' })
  await client.invalidateQueries({ queryKey: mountQueries.all().queryKey })
}
