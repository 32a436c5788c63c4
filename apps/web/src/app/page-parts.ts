import type { QueryClient } from '@tanstack/react-query'
import type { WordGroup } from '../i18n/languages.ts'
import type { Address, Prepare } from '../lib/prepare.ts'

/** The export of a page module that loads the first data of the page. */
interface PageModule {
  readonly prepare?: Prepare
}

/** A page that is loaded as one chunk. */
export interface PagePart<Module extends object = object> {
  readonly load: () => Promise<Module>
  /** Text groups that the page needs in addition to the groups that every first visit loads. */
  readonly words: readonly WordGroup[]
}

const part = <Module extends object>(
  load: () => Promise<Module>,
  ...words: readonly WordGroup[]
): PagePart<Module> => ({ load, words })

/**
 * The pages with their chunks. This module is separate, so that the first script of a page can load the page's chunk in
 * parallel with the app.
 */
export const pageParts = {
  home: part(() => import('../features/pastes/pages/home.page.tsx')),
  paste: part(() => import('../features/pastes/pages/paste.page.tsx'), 'textView'),
  upload: part(() => import('../features/files/pages/upload.page.tsx'), 'later', 'files'),
  file: part(() => import('../features/files/pages/file.page.tsx'), 'files'),
  bundle: part(() => import('./pages/bundle/bundle.page.tsx'), 'bundle', 'later', 'files', 'textView'),
  encryption: part(() => import('./pages/encryption.page.tsx'), 'sealedReading'),
  explorer: part(() => import('./pages/explorer.page.tsx'), 'later', 'files'),
  admin: part(() => import('./pages/admin.page.tsx'), 'later', 'files', 'textView', 'admin'),
  welcome: part(() => import('./pages/welcome/welcome.page.tsx'), 'later', 'files', 'admin'),
  offline: part(() => import('./pages/offline.page.tsx'), 'queue', 'textView', 'later'),
}

/** The modules of the admin panel, by their name in URLs. */
export const moduleParts = {
  dashboard: part(() => import('./pages/dashboard.page.tsx')),
  'text-management': part(() => import('../features/pastes/pages/manage-pastes.page.tsx')),
  'file-management': part(() => import('../features/files/pages/manage-files.page.tsx')),
  shares: part(() => import('./pages/shares.page.tsx')),
  'storage-config': part(() => import('../features/storage-configs/pages/storage-configs.page.tsx')),
  'mount-management': part(() => import('../features/mounts/pages/mounts.page.tsx')),
  'key-management': part(() => import('./pages/api-keys.page.tsx')),
  webdav: part(() => import('../features/webdav/pages/drive.page.tsx')),
  audit: part(() => import('../features/audit/pages/audit.page.tsx')),
  settings: part(() => import('./pages/settings.page.tsx')),
}

const ownValue = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

const BY_FIRST_SEGMENT: Readonly<Record<string, PagePart>> = {
  '': pageParts.home,
  paste: pageParts.paste,
  upload: pageParts.upload,
  file: pageParts.file,
  s: pageParts.bundle,
  encryption: pageParts.encryption,
  'mount-explorer': pageParts.explorer,
  admin: pageParts.admin,
  offline: pageParts.offline,
}

/**
 * Returns the chunks for a URL: the chunk of the page, and the chunk of the admin module if there is one. Empty for an
 * unknown URL, which redirects.
 */
export function partsAt(pathnameBelowBase: string): readonly PagePart[] {
  const [, first = '', second = ''] = pathnameBelowBase.split('/')
  if (first === 'admin' && second === 'welcome') return [pageParts.welcome]
  const parts = [
    ownValue(BY_FIRST_SEGMENT, first),
    first === 'admin' ? ownValue<PagePart>(moduleParts, second || 'dashboard') : undefined,
  ]
  return parts.filter((found) => found !== undefined)
}

/** Loads a chunk, and then the first data of its page. */
export async function preparePart({ load }: PagePart, client: QueryClient, address: Address): Promise<void> {
  const { prepare } = (await load()) as PageModule
  await prepare?.(client, address)
}
