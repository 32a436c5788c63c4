import { SEARCH_MIN_CHARACTERS } from '@dropleaf/contract'
import { IconFile, IconFileText, IconFolderSymlink } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { managedFileQueries } from '../../features/files/api/manage-files.api.ts'
import { managedPasteQueries } from '../../features/pastes/api/manage-pastes.api.ts'
import { isSearchable, searchQueries } from '../../features/search/api/search.queries.ts'
import { formatRelative } from '../../lib/format.ts'
import type { Language } from '../../i18n/languages.ts'
import { openPathOf, visibleMounts } from '../../domains/storages/mount-queries.ts'
import { can, type Session } from '../../domains/session/stored-session.ts'
import { showInvisible } from '../../lib/text/invisible-characters.ts'
import { paths } from '../../lib/paths.ts'
import type { PaletteItem } from './items.ts'
import { findMatching } from './match.ts'

const SHARES_SHOWN = 5
const FILES_SHOWN = 8

const NEWEST = { by: 'created', order: 'desc' } as const

/** Icons by id prefix, also for recent items. */
const ICONS = { mounts: IconFolderSymlink, texts: IconFileText, shares: IconFile, files: IconFile } as const

export const iconOfFound = (id: string): PaletteItem['Icon'] =>
  Object.entries(ICONS).find(([group]) => id.startsWith(`${group}:`))?.[1] ?? IconFile

interface FoundThing {
  readonly group: keyof typeof ICONS
  readonly key: string
  readonly title: string
  readonly detail: string
  readonly path: string
}

const toItem = ({ group, key, title, detail, path }: FoundThing): PaletteItem => ({
  id: `${group}:${key}`,
  group,
  Icon: ICONS[group],
  names: [showInvisible(title)],
  also: '',
  detail: showInvisible(detail),
  act: { kind: 'open', path },
})

/** Links a share with a view limit to its row in the list, because opening the share uses up a view. */
const pathOfShare = (kind: 'text' | 'file', slug: string, maxViews: number | null): string => {
  if (maxViews === null) return kind === 'text' ? paths.paste(slug) : paths.file(slug)
  return `/admin/${kind}-management?${new URLSearchParams({ q: slug }).toString()}`
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? ''

interface FoundOptions {
  /** The debounced input. */
  readonly typed: string
  readonly session: Session
  readonly language: Language
  /** Note that is shown for shares with a view limit. */
  readonly limited: string
}

interface QueryState {
  readonly isPending: boolean
  readonly isPlaceholderData: boolean
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

export interface Found {
  readonly items: readonly PaletteItem[]
  readonly isPending: boolean
  /** Error of a failed search, otherwise `null`. */
  readonly error: unknown
  readonly retry: () => void
}

/** Finds matching mounts, shares and files of the user; all mounts and the newest shares for an empty query. */
export function useFound({ typed, session, language, limited }: FoundOptions): Found {
  const text = typed.trim()
  const isLongEnough = text === '' || isSearchable(text)
  const may = (permission: 'text' | 'file' | 'mount') => can(session, permission)
  const filter = {
    filters: { search: text === '' ? undefined : text },
    sorting: NEWEST,
    limit: SHARES_SHOWN,
    offset: 0,
  }
  const texts = useQuery({ ...managedPasteQueries.page(filter), enabled: may('text') && isLongEnough })
  const shares = useQuery({ ...managedFileQueries.page(filter), enabled: may('file') && isLongEnough })
  const mounts = useQuery({ ...visibleMounts(), enabled: may('mount') })
  const files = useInfiniteQuery({
    ...searchQueries.results({ text, scope: 'global', path: '/', mountId: null }),
    enabled: may('mount') && isSearchable(text),
  })
  const searches: readonly (QueryState & { isAsked: boolean })[] = [
    { ...texts, isAsked: may('text') && isLongEnough },
    { ...shares, isAsked: may('file') && isLongEnough },
    { ...files, isAsked: may('mount') && isSearchable(text) },
    { ...mounts, isAsked: may('mount') },
  ]
  const asked = searches.filter(({ isAsked }) => isAsked)
  const isPending = asked.some((query) => query.isPending || query.isPlaceholderData)
  const failed = asked.filter(({ isError }) => isError)
  const basicPath = session.kind === 'apikey' ? session.info.basic_path : '/'
  const when = (instant: string) => formatRelative(instant, language)
  const mountItems = (mounts.data ?? []).map(({ id, name, mount_path }) =>
    toItem({
      group: 'mounts',
      key: id,
      title: name,
      detail: mount_path,
      path: paths.explorer(openPathOf(mount_path, basicPath)),
    }),
  )
  const ofShares = isLongEnough && !isPending
  const things: FoundThing[] = [
    ...((ofShares && texts.data?.rows) || []).map(
      ({ id, slug, remark, beginning, createdAt, maxViews }): FoundThing => ({
        group: 'texts',
        key: id,
        title: remark || firstLine(beginning) || `/${slug}`,
        detail: maxViews === null ? `/${slug} · ${when(createdAt)}` : limited,
        path: pathOfShare('text', slug, maxViews),
      }),
    ),
    ...((ofShares && shares.data?.rows) || []).map(
      ({ id, slug, filename, created_at, max_views }): FoundThing => ({
        group: 'shares',
        key: id,
        title: filename,
        detail: max_views === null ? `/${slug} · ${when(created_at)}` : limited,
        path: pathOfShare('file', slug, max_views),
      }),
    ),
    ...((isSearchable(text) && !isPending && files.data?.pages[0]?.data.results) || [])
      .slice(0, FILES_SHOWN)
      .map(({ path, name }): FoundThing => {
        const folder = path.slice(0, path.lastIndexOf('/')) || '/'
        return { group: 'files', key: path, title: name, detail: folder, path: paths.explorer(folder, name) }
      }),
  ]
  return {
    items: [...findMatching(text, mountItems), ...things.map(toItem)],
    isPending,
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const query of failed) void query.refetch()
    },
  }
}

/** Whether a query is not empty, but too short for a search. */
export const isOneShort = (text: string): boolean => {
  const { length } = [...text.trim()]
  return length > 0 && length < SEARCH_MIN_CHARACTERS
}
