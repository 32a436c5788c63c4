import { fileRoutes, managedPasteRoutes, mountRoutes, operationRoutes, shareRoutes } from '@dropleaf/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { routeUrl } from '../../domains/api/route-url.ts'
import type { Session } from '../../domains/session/stored-session.ts'
import { OfflineCopy } from '../../domains/offline/components/offline-copy.tsx'
import type { AdminModule } from '../admin-modules.ts'

/** Routes of a module whose data can come from the offline cache. */
function listsOf(id: AdminModule['id'], isAdmin: boolean): readonly { readonly path: string }[] {
  switch (id) {
    case 'dashboard':
      return [operationRoutes.dashboard]
    case 'text-management':
      return [isAdmin ? managedPasteRoutes.adminList : managedPasteRoutes.userList]
    case 'file-management':
      return [isAdmin ? fileRoutes.adminList : fileRoutes.userList]
    case 'shares':
      return [shareRoutes.list]
    case 'mount-management':
      return [isAdmin ? mountRoutes.adminList : mountRoutes.userList]
    case 'settings':
      return [operationRoutes.readSettings]
    case 'storage-config':
    case 'key-management':
    case 'webdav':
    case 'audit':
      return []
    default:
      return id satisfies never
  }
}

interface ModuleCopyProps {
  id: AdminModule['id']
  session: Session
  children: ReactNode
}

/** Shows that a module's data is an offline copy. */
export function ModuleCopy({ id, session, children }: ModuleCopyProps) {
  const queryClient = useQueryClient()
  const urls = listsOf(id, session.kind === 'admin').map(({ path }) => routeUrl(path))
  const reload = () =>
    queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.['isPrivate'] === true })
  return (
    <>
      <OfflineCopy url={urls} onReload={() => void reload()} />
      {children}
    </>
  )
}
