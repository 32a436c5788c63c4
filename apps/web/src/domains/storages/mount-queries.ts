import { mountRoutes, type ReplyOf } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/api-client.ts'
import { withDisplayName } from './display-name.ts'

export type VisibleMount = ReplyOf<typeof mountRoutes.userList>['data'][number]

/** Query for the active mounts that are visible to the session. */
export const visibleMounts = () =>
  queryOptions({
    queryKey: ['mounts', 'visible'],
    meta: { isPrivate: true },
    queryFn: async ({ signal }): Promise<VisibleMount[]> =>
      (await api(mountRoutes.userList, { signal })).data,
    select: (mounts) => mounts.map(withDisplayName),
  })

/**
 * Returns the path at which an API key opens a mount. This is the key's base path if it is below the mount, otherwise
 * the path of the mount.
 */
export const openPathOf = (mountPath: string, basicPath: string): string =>
  basicPath.startsWith(`${mountPath}/`) ? basicPath : mountPath
