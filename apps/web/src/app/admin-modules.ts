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
  IconShare,
  type IconProps,
} from '@tabler/icons-react'
import type { AsyncRouteComponent, LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { can, type Session } from '../domains/session/stored-session.ts'
import { lazyPage } from './lazy-page.ts'
import { moduleParts } from './page-parts.ts'

export interface AdminModule {
  /** The URL is `/admin/{id}`, except for the dashboard, which is `/admin`. */
  readonly id: keyof typeof moduleParts
  readonly Icon: ComponentType<IconProps>
  readonly allows: (session: Session) => boolean
  readonly Page: AsyncRouteComponent<object>
}

const isAdmin = (session: Session) => session.kind === 'admin'

/** The modules of the admin panel, in the order of the panel's menu. */
export const adminModules: readonly AdminModule[] = [
  {
    id: 'dashboard',
    Icon: IconLayoutDashboard,
    allows: isAdmin,
    Page: lazyPage(moduleParts.dashboard, 'DashboardPage'),
  },
  {
    id: 'text-management',
    Icon: IconFileText,
    allows: (session) => can(session, 'text'),
    Page: lazyPage(moduleParts['text-management'], 'ManagePastesPage'),
  },
  {
    id: 'file-management',
    Icon: IconFiles,
    allows: (session) => can(session, 'file'),
    Page: lazyPage(moduleParts['file-management'], 'ManageFilesPage'),
  },
  {
    id: 'shares',
    Icon: IconShare,
    allows: (session) => can(session, 'text') || can(session, 'file'),
    Page: lazyPage(moduleParts.shares, 'SharesPage'),
  },
  {
    id: 'storage-config',
    Icon: IconDatabase,
    allows: isAdmin,
    Page: lazyPage(moduleParts['storage-config'], 'StorageConfigsPage'),
  },
  {
    id: 'mount-management',
    Icon: IconFolderSymlink,
    allows: (session) => can(session, 'mount'),
    Page: lazyPage(moduleParts['mount-management'], 'MountsPage'),
  },
  {
    id: 'key-management',
    Icon: IconKey,
    allows: isAdmin,
    Page: lazyPage(moduleParts['key-management'], 'ApiKeysPage'),
  },
  {
    id: 'webdav',
    Icon: IconNetwork,
    allows: (session) => can(session, 'mount'),
    Page: lazyPage(moduleParts.webdav, 'DrivePage'),
  },
  {
    id: 'audit',
    Icon: IconHistory,
    allows: isAdmin,
    Page: lazyPage(moduleParts.audit, 'AuditPage'),
  },
  {
    id: 'settings',
    Icon: IconSettings,
    allows: isAdmin,
    Page: lazyPage(moduleParts.settings, 'SettingsPage'),
  },
]

/** The part of a module's URL after `/admin`; empty for the dashboard. */
export const segmentOf = (id: AdminModule['id']): string => (id === 'dashboard' ? '' : id)

export const moduleLink = (id: AdminModule['id']): LinkProps =>
  id === 'dashboard' ? { to: '/admin' } : { to: '/admin/$module', params: { module: id } }
