import { mountRoutes, type ReplyOf } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/api-client.ts'
import { withDisplayName } from './display-name.ts'

export type VisibleMount = ReplyOf<typeof mountRoutes.userList>['data'][number]

/** The active mounts that the session can see. */
export const visibleMounts = () =>
  queryOptions({
    queryKey: ['mounts', 'visible'],
    meta: { isPrivate: true },
    queryFn: async ({ signal }): Promise<VisibleMount[]> =>
      (await api(mountRoutes.userList, { signal })).data,
    select: (mounts) => mounts.map(withDisplayName),
  })

/** Where an API key opens a mount: a mount above the key's base folder opens at the base folder. */
export const openPathOf = (mountPath: string, basicPath: string): string =>
  basicPath.startsWith(`${mountPath}/`) ? basicPath : mountPath
