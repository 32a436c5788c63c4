import type { SearchResult } from '@dropleaf/contract'
import { ActionIcon } from '@mantine/core'
import { IconBasket, IconFileSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { revalidateSession } from '../../features/auth/api/auth.api.ts'
import { fsQueries } from '../../features/fs/api/fs.queries.ts'
import { Explorer } from '../../features/fs/components/explorer.tsx'
import { type Entry, sortingOf } from '../../features/fs/models/entries.ts'
import { asFolder, folderOfSplat, isWithin } from '../../features/fs/models/fs-paths.ts'
import { getSettings } from '../../features/fs/models/settings.ts'
import { addToBasket, type BasketItem, useBasket } from '../../domains/transfers/archives/basket.ts'
import { useT } from '../../i18n/use-translation.ts'
import { keyMap } from '../../lib/keyboard/key-map.ts'
import { isKey, readableKey } from '../../lib/keyboard/keys.ts'
import { visibleMounts } from '../../domains/storages/mount-queries.ts'
import { notify } from '../../lib/notices.ts'
import type { Prepare } from '../../lib/prepare.ts'
import { useSealing } from '../../domains/sealed/policy/use-sealing.ts'
import { getSession, useSession } from '../../domains/session/session.ts'
import { can, personOf, type Session } from '../../domains/session/stored-session.ts'
import { readExplorerSearch } from '../explorer-search.ts'
import styles from './explorer.module.css'

const SearchDialog = lazy(async () => {
  const { SearchDialog: component } = await import('../../features/search/components/search-dialog.tsx')
  return { default: component }
})
const UploadDialog = lazy(async () => {
  const { UploadDialog: component } = await import('../../features/uploads/components/upload-dialog.tsx')
  return { default: component }
})
const BasketDialog = lazy(async () => {
  const { BasketDialog: component } = await import('../../features/basket/components/basket-dialog.tsx')
  return { default: component }
})
const ShareDialog = lazy(async () => {
  const module = await import('../../features/files/components/share-mount-file-dialog.tsx')
  return { default: module.ShareMountFileDialog }
})
const SharePlacesDialog = lazy(async () => {
  const module = await import('../../features/bundle-making/components/share-places-dialog.tsx')
  return { default: module.SharePlacesDialog }
})

const SealedCopyDialog = lazy(async () => {
  const module = await import('../../features/bundle-making/components/sealed-copy-dialog.tsx')
  return { default: module.SealedCopyDialog }
})

/** Prefetches the entries of the folder, and the list of visible mounts. */
export const prepare: Prepare = async (client, { params, search }) => {
  const session = getSession()
  const path = folderOfSplat(params['_splat'] ?? '')
  const base = session.kind === 'apikey' ? asFolder(session.info.basic_path) : '/'
  if (!can(session, 'mount') || !isWithin(path, base)) return
  const sorting = sortingOf(readExplorerSearch(search), getSettings())
  await Promise.all([
    client.prefetchQuery(visibleMounts()),
    client.prefetchQuery(fsQueries.list(path, sorting)),
  ])
}

/** Returns the id of the innermost mount that contains a path, or `null`. */
function useMountOf(path: string): string | null {
  const isAllowed = can(useSession(), 'mount')
  const list = useQuery({ ...visibleMounts(), enabled: isAllowed })
  const around = (list.data ?? []).filter((mount) => `${path}/`.startsWith(`${mount.mount_path}/`))
  return around.toSorted((a, b) => b.mount_path.length - a.mount_path.length)[0]?.id ?? null
}

/** Opens the search on Ctrl+K or Cmd+K, even while a field has the focus. */
function useSearchKey(open: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // The editor handles the same keys itself: they insert a link.
      if (event.defaultPrevented || !isKey(event, keyMap.explorer.search)) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open])
}

type Opened =
  | { kind: 'search' }
  | { kind: 'upload'; directory: string }
  | { kind: 'basket' }
  | { kind: 'share'; entries: readonly [Entry, ...Entry[]] }
  | { kind: 'sealedCopy'; entries: readonly Entry[] }
  | null

export function ExplorerPage(): ReactNode {
  const session = useSession()
  return <Files key={personOf(session)} session={session} />
}

/** The explorer with the features that extend it. */
function Files({ session }: { session: Session }) {
  const { t } = useT()
  const navigate = useNavigate()
  const { _splat = '' } = useParams({ from: '/mount-explorer/$' })
  const path = `/${_splat}`.replace(/\/+$/, '')
  const mountId = useMountOf(path)
  const [opened, setOpened] = useState<Opened>(null)
  const sealing = useSealing()
  useSearchKey(() => setOpened({ kind: 'search' }))
  const close = () => setOpened(null)
  const add = (items: readonly BasketItem[]) => {
    const { added } = addToBasket(items)
    notify('success', added === 0 ? t('basket.alreadyIn') : t('basket.added', { count: added }))
  }
  const openResult = (result: SearchResult) => {
    close()
    const folder = result.path.slice(1, result.path.lastIndexOf('/'))
    void navigate({
      to: '/mount-explorer/$',
      params: { _splat: folder },
      search: { preview: result.name },
    })
  }
  return (
    <>
      <Explorer
        onRefresh={() => revalidateSession({ isNow: true })}
        onUpload={(directory) => setOpened({ kind: 'upload', directory })}
        onAddToBasket={(entries) =>
          add(
            entries.map((entry) => ({
              path: entry.path,
              name: entry.name,
              size: entry.sizeBytes ?? 0,
              isDirectory: entry.isFolder,
            })),
          )
        }
        {...(can(session, 'file') && {
          onShare: ([first, ...others]) => {
            if (sealing.isBlocked) {
              notify('error', t('sealing.switch.blocked'))
              return
            }
            const kind = sealing.reason === 'required' ? 'sealedCopy' : 'share'
            if (first) setOpened({ kind, entries: [first, ...others] })
          },
          // Where encryption is required, sharing already makes an encrypted copy.
          ...(sealing.isShown &&
            sealing.reason === null && {
              onSealedCopy: (entries) => setOpened({ kind: 'sealedCopy', entries }),
            }),
        })}
        toolbarEnd={
          <Tools
            onSearch={() => setOpened({ kind: 'search' })}
            onBasket={() => setOpened({ kind: 'basket' })}
          />
        }
      />
      <Suspense>
        {opened?.kind === 'search' && (
          <SearchDialog
            path={path === '' ? '/' : path}
            mountId={mountId}
            onOpen={openResult}
            onAddToBasket={({ path: at, name, size }) => add([{ path: at, name, size, isDirectory: false }])}
            onClose={close}
          />
        )}
        {opened?.kind === 'upload' && <UploadDialog directory={opened.directory} onClose={close} />}
        {opened?.kind === 'basket' && <BasketDialog onClose={close} />}
        {opened?.kind === 'sealedCopy' && <SealedCopyDialog places={opened.entries} onClose={close} />}
        {opened?.kind === 'share' && <Sharing entries={opened.entries} onClose={close} />}
      </Suspense>
    </>
  )
}

/** Shows the options for a share. A single file becomes a file share. Several entries, or a folder, become a bundle. */
function Sharing({ entries, onClose }: { entries: readonly [Entry, ...Entry[]]; onClose: () => void }) {
  const [first, ...others] = entries
  if (first.isFolder || others.length > 0) return <SharePlacesDialog places={entries} onClose={onClose} />
  return <ShareDialog path={first.path} name={first.name} onClose={onClose} />
}

function Tools({ onSearch, onBasket }: { onSearch: () => void; onBasket: () => void }) {
  const { t } = useT()
  const { length } = useBasket()
  const basketLabel = t('basket.open', { count: length })
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={40}
        aria-label={t('search.open')}
        aria-keyshortcuts="Control+K Meta+K"
        title={t('common.nameAndKind', {
          name: t('search.open'),
          kind: readableKey(keyMap.explorer.search[0]),
        })}
        onClick={onSearch}
      >
        <IconFileSearch size={20} aria-hidden />
      </ActionIcon>
      <ActionIcon
        className={styles.counted}
        variant="subtle"
        color="gray"
        size={40}
        aria-label={basketLabel}
        title={basketLabel}
        onClick={onBasket}
      >
        <IconBasket size={20} aria-hidden />
        {length > 0 && <span className={styles.count}>{length > 99 ? '99+' : length}</span>}
      </ActionIcon>
    </>
  )
}
