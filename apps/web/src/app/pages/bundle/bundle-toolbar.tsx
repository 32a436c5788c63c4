import { ActionIcon, CloseButton, Input } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowsSort, IconFolderDown, IconLayoutGrid, IconList, IconSearch } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Items } from '../../../features/bundle-reading/api/use-items.ts'
import { ROOT } from '../../../features/bundle-reading/models/bundle-place.ts'
import {
  BUNDLE_VIEWS,
  changeReadingSettings,
  ITEM_ORDERS,
  ITEM_SORTS,
} from '../../../features/bundle-reading/models/reading-settings.ts'
import { useReadingSettings } from '../../../features/bundle-reading/models/use-reading-settings.ts'
import { Crumbs } from '../../../features/fs/components/crumbs.tsx'
import { useFolderScreen } from '../../../features/fs/components/explorer-context.ts'
import { focusGrid } from '../../../features/fs/components/items/focus-grid.ts'
import { useIsPhone } from '../../../features/fs/components/items/list-view.tsx'
import { Choice, SelectionBar } from '../../../features/fs/components/toolbar.tsx'
import bar from '../../../features/fs/components/toolbar.module.css'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { formatNumber } from '../../../lib/format.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { Menu } from '../../../ui/dialogs/menu.tsx'
import styles from './bundle.module.css'
import type { BundleAddress } from './use-bundle-address.ts'

interface BundleToolbarProps {
  field: RefObject<HTMLInputElement | null>
  items: Items
  /** Called to download the open folder. */
  onDownload: () => void
}

/** Breadcrumbs of the open folder, the search field, and the view options. */
export function BundleToolbar({ field, items, onDownload }: BundleToolbarProps) {
  const { t } = useT()
  const { path, marked } = useFolderScreen()
  const isPhone = useIsPhone()
  const isInside = path !== ROOT
  const isSelecting = marked.length > 0
  const isMissing = hasCode(items.error, 'bundle.item_not_found', 'bundle.item_kind', 'bundle.item_gone')
  // On a phone the selection bar is at the bottom, so that nothing above it moves.
  const isReplaced = isSelecting && !isPhone
  return (
    <div className={styles.bar}>
      {isInside && (
        <div className={styles.line}>
          <Crumbs />
          {!isMissing && (
            <ToolButton
              label={t('bundle.downloadFolder')}
              icon={<IconFolderDown size={20} aria-hidden />}
              sizePx={40}
              onClick={onDownload}
            />
          )}
        </div>
      )}
      {!isMissing && (
        <div className={bar.bar} role="toolbar" aria-label={t('explorer.tools')}>
          {isReplaced ? <SelectionBar /> : <Count items={items} />}
          <SearchField field={field} />
          {!isReplaced && (
            <>
              <ViewButtons />
              <DisplayMenu />
            </>
          )}
        </div>
      )}
      {isSelecting && isPhone && (
        <div className={bar.dock}>
          <SelectionBar />
        </div>
      )}
    </div>
  )
}

function Count({ items }: { items: Items }) {
  const { t, language } = useT()
  const { entries } = useFolderScreen()
  if (items.items === null || entries.length === 0) return null
  const { length } = entries
  const text = items.hasMore ? `${formatNumber(length, language)}+` : t('explorer.items', { count: length })
  return <span className={styles.count}>{text}</span>
}

/** How long typing must pause before a search is sent and written to the URL. */
const PAUSE_MS = 250

function SearchField({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const { t } = useT()
  const address = useFolderScreen().address as BundleAddress
  const { find, search } = address
  const [typed, setTyped] = useState(find)
  const [shown, setShown] = useState(find)
  // The back button and the buttons of the page also change the search, so the field must follow the URL.
  if (shown !== find) {
    setShown(find)
    setTyped(find)
  }
  const hasKeys = useMediaQuery('(hover: hover)', true)
  useEffect(() => {
    if (typed === find) return undefined
    const timer = setTimeout(() => search(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, find, search])
  const clear = () => {
    setTyped('')
    search('')
  }
  return (
    <Input
      ref={field}
      className={bar.filter}
      type="text"
      maxLength={200}
      aria-label={t('bundle.searchIn')}
      aria-keyshortcuts="/"
      placeholder={t(hasKeys ? 'bundle.searchHint' : 'bundle.search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed ? (
          <CloseButton
            size="sm"
            aria-label={t('bundle.clearSearch')}
            onClick={() => {
              clear()
              field.current?.focus()
            }}
          />
        ) : null
      }
      rightSectionPointerEvents="all"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') clear()
        if (!['Escape', 'ArrowDown', 'Enter'].includes(event.key)) return
        event.preventDefault()
        focusGrid()
      }}
    />
  )
}

const VIEW_ICONS = { list: IconList, gallery: IconLayoutGrid } as const
const VIEW_WORDS = { list: 'explorer.view.list', gallery: 'bundle.gallery' } as const

function ViewButtons() {
  const { t } = useT()
  const { view } = useReadingSettings()
  return (
    <fieldset className={styles.views} aria-label={t('explorer.view.label')}>
      {BUNDLE_VIEWS.map((choice) => {
        const Icon = VIEW_ICONS[choice]
        return (
          <ActionIcon
            key={choice}
            variant={view === choice ? 'light' : 'subtle'}
            color={view === choice ? 'leaf' : 'gray'}
            size={40}
            aria-label={t(VIEW_WORDS[choice])}
            title={t(VIEW_WORDS[choice])}
            aria-pressed={view === choice}
            onClick={() => changeReadingSettings({ view: choice })}
          >
            <Icon size={20} aria-hidden />
          </ActionIcon>
        )
      })}
    </fieldset>
  )
}

function DisplayMenu() {
  const { t } = useT()
  const button = useRef<HTMLButtonElement>(null)
  const { sort, order } = useReadingSettings()
  return (
    <Menu position="bottom-end" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size={40}
          aria-label={t('explorer.sort.label')}
          title={t('explorer.sort.label')}
        >
          <IconArrowsSort size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('explorer.sort.label')}</Menu.Label>
        {ITEM_SORTS.map((choice) => (
          <Choice
            key={choice}
            label={t(`explorer.sort.${choice}`)}
            isOn={sort === choice}
            onChoose={() => changeReadingSettings({ sort: choice })}
          />
        ))}
        <Menu.Divider />
        {ITEM_ORDERS.map((choice) => (
          <Choice
            key={choice}
            label={t(`explorer.order.${choice}`)}
            isOn={order === choice}
            onChoose={() => changeReadingSettings({ order: choice })}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
