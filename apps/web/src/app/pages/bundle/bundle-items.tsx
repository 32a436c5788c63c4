import type { ShownBundle } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { itemPathOf, ROOT } from '../../../features/bundle-reading/models/bundle-place.ts'
import { type Items, useItems } from '../../../features/bundle-reading/api/use-items.ts'
import { type FolderScreen, FolderScreenProvider } from '../../../features/fs/components/explorer-context.ts'
import { EntryUrlsContext } from '../../../features/fs/components/items/entry-urls.ts'
import { ItemMenu, type OpenMenu } from '../../../features/fs/components/items/item-menu.tsx'
import { useSelection } from '../../../features/fs/components/use-selection.ts'
import type { Command } from '../../../features/fs/models/commands.ts'
import type { Entry } from '../../../features/fs/models/entries.ts'
import { parentOf } from '../../../features/fs/models/fs-paths.ts'
import { RelativeFilesContext } from '../../../domains/markdown/prose/relative-files-context.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { BundleBody } from './bundle-body.tsx'
import { entriesOf, entryUrlsOf } from './bundle-entries.ts'
import { BundlePreview } from './bundle-preview.tsx'
import { BundleToolbar } from './bundle-toolbar.tsx'
import styles from './bundle.module.css'
import type { BundleAddress } from './use-bundle-address.ts'
import { useBundleDownloads } from './use-bundle-downloads.ts'
import { useFilesOfBundle } from './use-files-of-bundle.ts'

export interface BundleItemsProps {
  bundle: ShownBundle
  address: BundleAddress
  /** Folder that the reader has just left; it becomes active in the list. */
  cameFrom: string | null
  onTicketEnded: () => void
}

const NO_ENTRIES: readonly Entry[] = []

const commandsOf = (entries: readonly Entry[]): readonly Command[] =>
  entries.length === 1 ? ['open', 'download'] : ['download']

/** Reopens the bundle when the ticket is no longer valid: after some hours, or after a change of the password. */
function useEndedTicket(error: unknown, onTicketEnded: () => void) {
  const isEnded = hasCode(error, 'bundle.ticket_invalid')
  const tell = useEffectEvent(onTicketEnded)
  useEffect(() => {
    if (isEnded) tell()
  }, [isEnded])
}

function useEntries({ items }: Items, found: string | null) {
  return useMemo(() => (items === null ? NO_ENTRIES : entriesOf(items, found)), [items, found])
}

/** Shows a folder of a bundle, or the results of a search below it, with components of the explorer. */
export function BundleItems({ bundle, address, cameFrom, onTicketEnded }: BundleItemsProps) {
  const { t } = useT()
  const { path, sorting, find, open } = address
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const text = useDeferredValue(find).trim()
  const order = useMemo(
    () => ({ sort: sorting.sort === 'type' ? ('name' as const) : sorting.sort, order: sorting.order }),
    [sorting],
  )
  const items = useItems(bundle, { path: itemPathOf(path), order, text })
  useEndedTicket(items.error, onTicketEnded)
  const entries = useEntries(items, text === '' ? null : path)
  const selected = useSelection(entries, cameFrom !== null && parentOf(cameFrom) === path ? cameFrom : null)
  const downloads = useBundleDownloads(bundle, onTicketEnded)
  const urls = useMemo(() => entryUrlsOf(bundle), [bundle])
  const beside = useFilesOfBundle(bundle, folderOfPreview(address), open)
  const openEntry = (entry: Entry) =>
    entry.isFolder ? address.openFolder(entry.path) : address.showFile(entry.name)
  const screen: FolderScreen = {
    ...selected,
    address,
    path,
    ...(path === ROOT && { listLabel: t('bundle.items') }),
    base: ROOT,
    canWrite: false,
    entries,
    all: entries,
    open: openEntry,
    commandsOf,
    run: (command, some) => {
      const [first] = some
      if (command === 'open' && first) openEntry(first)
      if (command !== 'download') return
      const isWhole = text === '' && !items.hasMore && !items.isCut && some.length === entries.length
      downloads.entries(some, path, isWhole && some.length > 1)
    },
    makeFolder: () => undefined,
    upload: null,
    refresh: items.retry,
    openMenu: (point, some) => setMenu({ point, entries: some }),
    focusFilter: () => field.current?.focus(),
  }
  return (
    <EntryUrlsContext value={urls}>
      <FolderScreenProvider value={screen}>
        <section
          className={styles.items}
          data-inside={path !== ROOT || undefined}
          aria-label={t('bundle.items')}
        >
          <BundleToolbar field={field} items={items} onDownload={() => void downloads.folder(path)} />
          <BundleBody items={items} text={text} onClearSearch={() => address.search('')} />
        </section>
        {address.preview !== null && (
          <RelativeFilesContext value={beside}>
            <BundlePreview
              bundle={bundle}
              name={address.preview}
              onClose={() => address.showFile(null)}
              onTicketEnded={onTicketEnded}
            />
          </RelativeFilesContext>
        )}
        {menu && <ItemMenu menu={menu} onClose={() => setMenu(null)} />}
      </FolderScreenProvider>
    </EntryUrlsContext>
  )
}

/** Returns the folder of the shown file. If a search found the file, this folder can be deeper than the open folder. */
function folderOfPreview({ path, preview }: BundleAddress): string {
  const whole = `${path}${preview ?? ''}`
  return whole.slice(0, whole.lastIndexOf('/') + 1)
}
