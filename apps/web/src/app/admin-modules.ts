import {
  IconDatabase,
  IconFiles,
  IconFileText,
  IconFolderSymlink,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconNetwork,
  IconSettings,
  type IconProps,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import { type ComponentType, lazy } from 'react'
import { can, type Session } from '../lib/session.ts'

export interface AdminModule {
  /** In the address: `/admin/{id}`, but for the dashboard, which is `/admin`. */
  readonly id:
    | 'dashboard'
    | 'text-management'
    | 'file-management'
    | 'storage-config'
    | 'mount-management'
    | 'key-management'
    | 'webdav'
    | 'audit'
    | 'settings'
  readonly Icon: ComponentType<IconProps>
  readonly allows: (session: Session) => boolean
  readonly Page: ComponentType
}

const isAdmin = (session: Session) => session.kind === 'admin'

/** The modules of the admin panel, in the order of its menu. */
export const adminModules: readonly AdminModule[] = [
  {
    id: 'dashboard',
    Icon: IconLayoutDashboard,
    allows: isAdmin,
    Page: lazy(async () => ({ default: (await import('./pages/dashboard.page.tsx')).DashboardPage })),
  },
  {
    id: 'text-management',
    Icon: IconFileText,
    allows: (session) => can(session, 'text'),
    Page: lazy(async () => ({
      default: (await import('../features/pastes/pages/manage-pastes.page.tsx')).ManagePastesPage,
    })),
  },
  {
    id: 'file-management',
    Icon: IconFiles,
    allows: (session) => can(session, 'file'),
    Page: lazy(async () => ({
      default: (await import('../features/files/pages/manage-files.page.tsx')).ManageFilesPage,
    })),
  },
  {
    id: 'storage-config',
    Icon: IconDatabase,
    allows: isAdmin,
    Page: lazy(async () => ({
      default: (await import('../features/storage-configs/pages/storage-configs.page.tsx'))
        .StorageConfigsPage,
    })),
  },
  {
    id: 'mount-management',
    Icon: IconFolderSymlink,
    allows: (session) => can(session, 'mount'),
    Page: lazy(async () => ({
      default: (await import('../features/mounts/pages/mounts.page.tsx')).MountsPage,
    })),
  },
  {
    id: 'key-management',
    Icon: IconKey,
    allows: isAdmin,
    Page: lazy(async () => ({
      default: (await import('./pages/api-keys.page.tsx')).ApiKeysPage,
    })),
  },
  {
    id: 'webdav',
    Icon: IconNetwork,
    allows: (session) => can(session, 'mount'),
    Page: lazy(async () => ({
      default: (await import('../features/webdav/pages/drive.page.tsx')).DrivePage,
    })),
  },
  {
    id: 'audit',
    Icon: IconHistory,
    allows: isAdmin,
    Page: lazy(async () => ({
      default: (await import('../features/audit/pages/audit.page.tsx')).AuditPage,
    })),
  },
  {
    id: 'settings',
    Icon: IconSettings,
    allows: isAdmin,
    Page: lazy(async () => ({ default: (await import('./pages/settings.page.tsx')).SettingsPage })),
  },
]

/** What a module's address has after `/admin`; the dashboard's has nothing. */
export const segmentOf = (id: AdminModule['id']): string => (id === 'dashboard' ? '' : id)

/** Address of a module, for a link. */
export const moduleLink = (id: AdminModule['id']): LinkProps =>
  id === 'dashboard' ? { to: '/admin' } : { to: '/admin/$module', params: { module: id } }
