import { IconLock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { onFolderChanged } from '../../../domains/transfers/tasks/changes.ts'
import { getSession } from '../../../domains/session/session.ts'
import { noticeFailure } from '../../../domains/session/session-notices.ts'
import { useWork } from '../../../domains/session/use-work.ts'
import { usePendingAction } from '../../../lib/pending-actions.ts'
import { fsQueries, invalidateListing, isGone, refreshListing } from '../api/fs.queries.ts'
import { commandsFor } from '../models/commands.ts'
import type { Entry, SortOrder } from '../models/entries.ts'
import { filterEntries, isForGallery, sortEntries } from '../models/entries.ts'
import { useSettings } from '../models/settings.ts'
import styles from './explorer.module.css'
import { DropArea } from './drop-area.tsx'
import type { ExplorerSlots } from './explorer.tsx'
import type { FolderScreen } from './explorer-context.ts'
import { FolderScreenProvider } from './explorer-context.ts'
import { FolderBody } from './folder-body.tsx'
import type { OpenMenu } from './items/item-menu.tsx'
import { ItemMenu } from './items/item-menu.tsx'
import { RelativeFilesContext } from '../../../domains/markdown/prose/relative-files-context.ts'
import { Preview } from './preview/preview.tsx'
import { Toolbar } from './toolbar.tsx'
import type { ExplorerAddress } from './use-address.ts'
import { useCommands } from './use-commands.tsx'
import { usePendingRemovals } from './removals.ts'
import { useSelection } from './use-selection.ts'
import { useRelativeFiles } from './preview/use-relative-files.ts'
import { useFocusOnOpen, useUnfocusedKeys } from './use-unfocused-keys.ts'

interface FolderViewProps {
  address: ExplorerAddress
  base: string
  isReader: boolean
  isAdmin: boolean
  cameFrom: string | null
  slots: ExplorerSlots
}

const NO_ENTRIES: readonly Entry[] = []

function useListing(address: ExplorerAddress) {
  const queryClient = useQueryClient()
  const { path, sorting } = address
  const listing = useQuery(fsQueries.list(path, sorting))
  useEffect(
    () =>
      onFolderChanged((directory) => {
        const folder = directory === '/' ? directory : `${directory}/`
        void invalidateListing(queryClient, folder)
      }),
    [queryClient],
  )
  return listing
}

const hasArrived = (listing: Promise<void>) =>
  listing.then(
    () => true,
    () => false,
  )

/** Reads the folder from the storage again, and checks the permissions of the session. */
function useRefresh(path: string, { onRefresh }: ExplorerSlots) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [isRefreshing, setRefreshing] = useState(false)
  const run = async () => {
    setRefreshing(true)
    try {
      const before = getSession()
      await onRefresh?.()
      const now = getSession()
      if (now.kind === 'none') return
      if (now !== before) notify('info', t('explorer.rightsChanged'))
      // A change of permissions reloads the folder anyway. The list itself shows a failure.
      else if (await hasArrived(refreshListing(queryClient, path))) notify('success', t('explorer.refreshed'))
    } catch (error) {
      noticeFailure(error)
    } finally {
      setRefreshing(false)
    }
  }
  return { isRefreshing, refresh: () => void run() }
}

interface EntryOptions {
  readonly sorting: SortOrder
  readonly filter: string
}

/** Sorts and filters the entries of a listing. Leaves out entries that are about to be removed. */
function useEntries(listed: readonly Entry[], { sorting, filter }: EntryOptions) {
  const removed = usePendingRemovals()
  const { view } = useSettings()
  const present = useMemo(
    () => (removed.size === 0 ? listed : listed.filter((entry) => !removed.has(entry.path))),
    [listed, removed],
  )
  const sorted = useMemo(() => sortEntries(present, sorting), [present, sorting])
  const matching = useMemo(() => filterEntries(sorted, filter), [sorted, filter])
  const entries = useMemo(
    () => (view === 'gallery' ? matching.filter(isForGallery) : matching),
    [matching, view],
  )
  return { sorted, matching, entries }
}

/** Shows a folder with its entries and commands. */
export function FolderView({ address, base, isReader, isAdmin, cameFrom, slots }: FolderViewProps) {
  useWork()
  const { path, sorting } = address
  const [filter, setFilter] = useState('')
  const wanted = useDeferredValue(filter)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const filterField = useRef<HTMLInputElement>(null)
  const listing = useListing(address)
  const { sorted, matching, entries } = useEntries(listing.data?.entries ?? NO_ENTRIES, {
    sorting,
    filter: wanted,
  })
  const selected = useSelection(entries, cameFrom)
  const canWrite = !isReader && listing.data?.isVirtual === false && !isGone(listing.error)
  const commands = useCommands({ address, canWrite, mayWrite: !isReader, slots, selected })
  const can = {
    canWrite,
    canCopy: !isReader,
    canShare: slots.onShare !== undefined,
    canSealCopy: slots.onSealedCopy !== undefined,
    hasBasket: slots.onAddToBasket !== undefined,
  }
  const { isRefreshing, refresh } = useRefresh(path, slots)
  const beside = useRelativeFiles(address, base)
  const screen: FolderScreen = {
    ...selected,
    address,
    path,
    base,
    canWrite,
    entries,
    all: sorted,
    open: (entry) => (entry.isFolder ? address.openFolder(entry.path) : address.showFile(entry.name)),
    commandsOf: (some) => commandsFor(some, can),
    run: commands.run,
    makeFolder: commands.makeFolder,
    upload: canWrite && slots.onUpload ? () => slots.onUpload?.(path) : null,
    refresh,
    openMenu: (point, some) => setMenu({ point, entries: some }),
    focusFilter: () => filterField.current?.focus(),
  }
  usePendingAction('new-folder', canWrite ? commands.makeFolder : null)
  usePendingAction('upload-here', screen.upload)
  useUnfocusedKeys(screen)
  useFocusOnOpen(listing.data !== undefined, address.preview !== null)
  return (
    <FolderScreenProvider value={screen}>
      <DropArea mayWrite={!isReader} isCovered={address.preview !== null} onTransfer={commands.transfer}>
        <Toolbar
          filter={filter}
          onFilter={setFilter}
          filterField={filterField}
          end={slots.toolbarEnd}
          isBusy={listing.isFetching || isRefreshing}
          isMissing={isGone(listing.error)}
        />
        {isReader && <ReadOnlyNotice />}
        <FolderBody
          listing={listing}
          omittedCount={matching.length - entries.length}
          isFiltered={wanted.trim() !== ''}
          isAdmin={isAdmin}
          onClearFilter={() => setFilter('')}
        />
      </DropArea>
      {address.preview !== null && (
        <RelativeFilesContext value={beside}>
          <Preview name={address.preview} onClose={() => address.showFile(null)} />
        </RelativeFilesContext>
      )}
      {menu && <ItemMenu menu={menu} onClose={() => setMenu(null)} />}
      {commands.dialog}
    </FolderScreenProvider>
  )
}

function ReadOnlyNotice() {
  const { t } = useT()
  return (
    <p className={styles.reader}>
      <IconLock size={16} aria-hidden />
      {t('explorer.readOnly')}
    </p>
  )
}
