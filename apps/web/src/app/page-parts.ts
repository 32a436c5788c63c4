import type { QueryClient } from '@tanstack/react-query'
import type { WordGroup } from '../i18n/languages.ts'
import type { Address, Prepare } from '../lib/prepare.ts'

/** What a page may bring along. */
interface PageModule {
  readonly prepare?: Prepare
}

/** A part of the app that one page is fetched as. */
export interface PagePart<Module extends object = object> {
  readonly load: () => Promise<Module>
  /** Groups of words beside those of every first visit. */
  readonly words: readonly WordGroup[]
}

const part = <Module extends object>(
  load: () => Promise<Module>,
  ...words: readonly WordGroup[]
): PagePart<Module> => ({ load, words })

/**
 * The pages and what they are fetched with. Nothing else is in here: the first script of a page asks for the part of its page
 * beside the rest of the app, and not after it.
 */
export const pageParts = {
  home: part(() => import('../features/pastes/pages/home.page.tsx')),
  paste: part(() => import('../features/pastes/pages/paste.page.tsx'), 'textView'),
  upload: part(() => import('../features/files/pages/upload.page.tsx'), 'later', 'files'),
  file: part(() => import('../features/files/pages/file.page.tsx'), 'files'),
  explorer: part(() => import('./pages/explorer.page.tsx'), 'later', 'files'),
  admin: part(() => import('./pages/admin.page.tsx'), 'later', 'files', 'textView', 'admin'),
  welcome: part(() => import('./pages/welcome/welcome.page.tsx'), 'later', 'files', 'admin'),
  offline: part(() => import('./pages/offline.page.tsx'), 'queue', 'textView', 'later'),
}

/** The modules of the admin panel, by what they are called in its addresses. */
export const moduleParts = {
  dashboard: part(() => import('./pages/dashboard.page.tsx')),
  'text-management': part(() => import('../features/pastes/pages/manage-pastes.page.tsx')),
  'file-management': part(() => import('../features/files/pages/manage-files.page.tsx')),
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
  'mount-explorer': pageParts.explorer,
  admin: pageParts.admin,
  offline: pageParts.offline,
}

/** What the page at an address is made of: its own part, and that of the module in it. Nothing, for one that leads elsewhere. */
export function partsAt(pathnameBelowBase: string): readonly PagePart[] {
  const [, first = '', second = ''] = pathnameBelowBase.split('/')
  if (first === 'admin' && second === 'welcome') return [pageParts.welcome]
  const parts = [
    ownValue(BY_FIRST_SEGMENT, first),
    first === 'admin' ? ownValue<PagePart>(moduleParts, second || 'dashboard') : undefined,
  ]
  return parts.filter((found) => found !== undefined)
}

/** Lets a part ask for what it shows first, once it has come. */
export async function preparePart({ load }: PagePart, client: QueryClient, address: Address): Promise<void> {
  const { prepare } = (await load()) as PageModule
  await prepare?.(client, address)
}
