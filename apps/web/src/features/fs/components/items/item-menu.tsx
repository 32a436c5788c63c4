import { useMediaQuery } from '@mantine/hooks'
import {
  IconBasketPlus,
  IconCloudUpload,
  IconCopy,
  IconCursorText,
  IconDownload,
  IconExternalLink,
  IconFolderPlus,
  IconFolderSymlink,
  IconInfoCircle,
  IconLink,
  IconRefresh,
  IconSelectAll,
  IconShare3,
  IconSquareCheck,
  IconTrash,
  IconShieldLock,
} from '@tabler/icons-react'
import { type ComponentType, Fragment, useState } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { keyMap } from '../../../../lib/keyboard/key-map.ts'
import { readableKey } from '../../../../lib/keyboard/keys.ts'
import { Menu } from '../../../../ui/dialogs/menu.tsx'
import { type Command, groupsOf } from '../../models/commands.ts'
import type { Entry } from '../../models/entries.ts'
import { markAll, toggle } from '../../models/selection.ts'
import type { MenuPoint } from '../explorer-context.ts'
import { useFolderScreen } from '../explorer-context.ts'
import { focusGrid } from './focus-grid.ts'
import styles from './item-menu.module.css'

export const COMMAND_ICONS: Record<Command, ComponentType<{ size?: number; 'aria-hidden'?: boolean }>> = {
  open: IconExternalLink,
  download: IconDownload,
  link: IconLink,
  share: IconShare3,
  sealedCopy: IconShieldLock,
  basket: IconBasketPlus,
  rename: IconCursorText,
  move: IconFolderSymlink,
  copy: IconCopy,
  properties: IconInfoCircle,
  delete: IconTrash,
}

/** Shortcuts of commands in the list of files. */
const COMMAND_KEYS: Partial<Record<Command, readonly [string]>> = {
  open: keyMap.explorer.open,
  rename: keyMap.explorer.rename,
  delete: keyMap.explorer.delete,
}

export interface OpenMenu {
  readonly point: MenuPoint
  /** Empty for the context menu of the folder. */
  readonly entries: readonly Entry[]
}

/** Distance between the menu and the edge of the viewport. The styles use the same value. */
const EDGE_PX = 8

/**
 * Focuses the list before the action. A dialog that the action opens then restores the focus to the list, because this
 * menu no longer exists when the dialog closes.
 */
const fromGrid = (act: () => void) => () => {
  focusGrid()
  act()
}

export function ItemMenu({ menu, onClose }: { menu: OpenMenu; onClose: () => void }) {
  const { t } = useT()
  const [hasKeys, setHasKeys] = useState(menu.point.isByKey ?? false)
  const close = () => {
    onClose()
    setTimeout(focusGrid, 0)
  }
  const [only] = menu.entries
  const name =
    only === undefined
      ? t('explorer.tools')
      : menu.entries.length > 1
        ? t('explorer.selectionTools')
        : t('explorer.actionsOf', { name: only.name })
  return (
    <Menu
      opened
      onClose={close}
      position="bottom-start"
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      trapFocus
      // Leaves out key events, because the key that opened the menu must not close it.
      clickOutsideEvents={['mousedown', 'touchstart']}
      offset={2}
      width={232}
      transitionProps={{ duration: 0 }}
      // If there is too little space above and below the point, the menu may cover the point.
      middlewares={{ flip: true, shift: { crossAxis: true, padding: EDGE_PX } }}
    >
      <Menu.Target>
        <span
          aria-hidden
          style={{ position: 'fixed', left: menu.point.x, top: menu.point.y, width: 1, height: 1 }}
        />
      </Menu.Target>
      <Menu.Dropdown
        aria-label={name}
        // Hides the focus ring, which browsers show for focus that a script sets, even after a touch.
        {...(!hasKeys && { className: styles.pointed ?? '', onKeyDown: () => setHasKeys(true) })}
      >
        {menu.entries.length > 0 ? <EntryItems entries={menu.entries} /> : <FolderItems />}
      </Menu.Dropdown>
    </Menu>
  )
}

function EntryItems({ entries }: { entries: readonly Entry[] }) {
  const { commandsOf } = useFolderScreen()
  return (
    <>
      <SelectItem entries={entries} />
      {groupsOf(commandsOf(entries)).map((group, index) => (
        <Fragment key={group[0]}>
          {index > 0 && <Menu.Divider />}
          {group.map((command) => (
            <CommandItem key={command} command={command} entries={entries} />
          ))}
        </Fragment>
      ))}
    </>
  )
}

function CommandItem({ command, entries }: { command: Command; entries: readonly Entry[] }) {
  const { t } = useT()
  const { run } = useFolderScreen()
  const Icon = COMMAND_ICONS[command]
  const [key] = COMMAND_KEYS[command] ?? []
  return (
    <Menu.Item
      leftSection={<Icon size={18} aria-hidden />}
      rightSection={
        key !== undefined && (
          <kbd className={styles.key} aria-hidden>
            {readableKey(key)}
          </kbd>
        )
      }
      {...(command === 'delete' && { className: styles.dangerous })}
      onClick={fromGrid(() => run(command, entries))}
    >
      {t(`explorer.command.${command}`)}
    </Menu.Item>
  )
}

/** Menu item that starts a selection of several entries on touch devices. */
function SelectItem({ entries }: { entries: readonly Entry[] }) {
  const { t } = useT()
  const { select, selection } = useFolderScreen()
  // The item is left out rather than hidden, because the menu focuses its first item, and a hidden item cannot get the
  // focus.
  const hasKeys = useMediaQuery('(hover: hover)', undefined, { getInitialValueInEffect: false }) ?? false
  const [entry] = entries
  if (hasKeys || !entry || entries.length > 1) return null
  const isMarked = selection.marked.has(entry.path)
  return (
    <Menu.Item
      leftSection={<IconSquareCheck size={18} aria-hidden />}
      onClick={() => select((before) => toggle(before, entry.path))}
    >
      {t(isMarked ? 'explorer.unselectOne' : 'explorer.select')}
    </Menu.Item>
  )
}

function FolderItems() {
  const { t } = useT()
  const { canWrite, makeFolder, upload, refresh, select, entries } = useFolderScreen()
  return (
    <>
      {canWrite && (
        <Menu.Item leftSection={<IconFolderPlus size={18} aria-hidden />} onClick={fromGrid(makeFolder)}>
          {t('explorer.newFolder.open')}
        </Menu.Item>
      )}
      {upload && (
        <Menu.Item leftSection={<IconCloudUpload size={18} aria-hidden />} onClick={fromGrid(upload)}>
          {t('explorer.upload')}
        </Menu.Item>
      )}
      {entries.length > 0 && (
        <Menu.Item leftSection={<IconSelectAll size={18} aria-hidden />} onClick={() => select(markAll)}>
          {t('explorer.selectAll')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconRefresh size={18} aria-hidden />} onClick={refresh}>
        {t('explorer.refresh')}
      </Menu.Item>
    </>
  )
}
