import { useMediaQuery } from '@mantine/hooks'
import { ActionIcon, Button, CloseButton, Input } from '@mantine/core'
import {
  IconAdjustments,
  IconArrowsSort,
  IconCheck,
  IconCloudUpload,
  IconDots,
  IconFilter,
  IconFolderPlus,
  IconLayoutGrid,
  IconList,
  IconPhoto,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { keyMap } from '../../../lib/keyboard/key-map.ts'
import { isKey } from '../../../lib/keyboard/keys.ts'
import { Menu } from '../../../ui/dialogs/menu.tsx'
import type { Command } from '../models/commands.ts'
import { SORTS } from '../models/entries.ts'
import { unmarkAll } from '../models/selection.ts'
import { changeSettings, useSettings } from '../models/settings.ts'
import { VIEWS } from '../models/stored-settings.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { Crumbs } from './crumbs.tsx'
import styles from './explorer.module.css'
import { useFolderScreen } from './explorer-context.ts'
import { focusGrid } from './items/focus-grid.ts'
import { GalleryDialog } from './gallery/gallery-dialog.tsx'
import { COMMAND_ICONS } from './items/item-menu.tsx'
import { useIsPhone } from './items/list-view.tsx'
import bar from './toolbar.module.css'

interface ToolbarProps {
  filter: string
  onFilter: (text: string) => void
  filterField: RefObject<HTMLInputElement | null>
  end: ReactNode
  isBusy: boolean
  /** Whether the folder does not exist. */
  isMissing: boolean
}

export function Toolbar(props: ToolbarProps) {
  const { t } = useT()
  const { marked } = useFolderScreen()
  const isPhone = useIsPhone()
  const isSelecting = marked.length > 0
  // On a phone the selection bar is at the bottom, so that nothing above it moves.
  const isReplaced = isSelecting && !isPhone
  return (
    <div className={styles.bar}>
      <div className={styles.line}>
        <Crumbs />
        <div className={styles.end}>{props.end}</div>
      </div>
      {!props.isMissing && (
        <div className={bar.bar} role="toolbar" aria-label={t('explorer.tools')}>
          {isReplaced ? <SelectionBar /> : <FolderStart />}
          <FilterField {...props} />
          {!isReplaced && <FolderEnd isBusy={props.isBusy} />}
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

function FolderStart() {
  const { t } = useT()
  const { canWrite, makeFolder, upload } = useFolderScreen()
  return (
    <>
      {upload && (
        <BarButton
          label={t('explorer.upload')}
          icon={<IconCloudUpload size={18} aria-hidden />}
          onClick={upload}
          isMain
        />
      )}
      {canWrite && (
        <BarButton
          label={t('explorer.newFolder.open')}
          icon={<IconFolderPlus size={18} aria-hidden />}
          onClick={makeFolder}
        />
      )}
    </>
  )
}

function FolderEnd({ isBusy }: { isBusy: boolean }) {
  const { t } = useT()
  const { refresh } = useFolderScreen()
  return (
    <>
      <ViewButtons />
      <DisplayMenu />
      <ToolButton
        label={t('explorer.refresh')}
        icon={<IconRefresh size={20} aria-hidden />}
        sizePx={40}
        isBusy={isBusy}
        onClick={refresh}
      />
    </>
  )
}

interface BarButtonProps {
  label: string
  icon: ReactNode
  onClick: () => void
  isMain?: boolean
  isDangerous?: boolean
}

/** A button that shows its label if there is enough space. */
function BarButton({ label, icon, onClick, isMain = false, isDangerous = false }: BarButtonProps) {
  return (
    <Button
      className={bar.button}
      variant={isMain ? 'filled' : 'default'}
      {...(isDangerous && { color: 'red', variant: 'light' })}
      h={40}
      aria-label={label}
      leftSection={icon}
      onClick={onClick}
    >
      <span>{label}</span>
    </Button>
  )
}

function FilterField({
  filter,
  onFilter,
  filterField,
}: Pick<ToolbarProps, 'filter' | 'onFilter' | 'filterField'>) {
  const { t } = useT()
  const hasKeys = useMediaQuery('(hover: hover)', true)
  return (
    <Input
      ref={filterField}
      className={bar.filter}
      type="text"
      aria-label={t('explorer.filter')}
      aria-keyshortcuts="/"
      placeholder={t(hasKeys ? 'explorer.filterHint' : 'explorer.filterPlain')}
      leftSection={<IconFilter size={16} aria-hidden />}
      rightSection={
        filter ? (
          <CloseButton
            size="sm"
            aria-label={t('explorer.empty.filterClear')}
            onClick={() => {
              onFilter('')
              filterField.current?.focus()
            }}
          />
        ) : null
      }
      rightSectionPointerEvents="all"
      value={filter}
      onChange={(event) => onFilter(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onFilter('')
        if (!['Escape', 'ArrowDown', 'Enter'].includes(event.key)) return
        event.preventDefault()
        focusGrid()
      }}
    />
  )
}

const VIEW_ICONS = { list: IconList, grid: IconLayoutGrid, gallery: IconPhoto } as const

function ViewButtons() {
  const { t } = useT()
  const { view } = useSettings()
  return (
    <fieldset className={bar.views} aria-label={t('explorer.view.label')}>
      {VIEWS.map((choice) => {
        const Icon = VIEW_ICONS[choice]
        return (
          <ActionIcon
            key={choice}
            variant={view === choice ? 'light' : 'subtle'}
            color={view === choice ? 'leaf' : 'gray'}
            size={40}
            aria-label={t(`explorer.view.${choice}`)}
            title={t(`explorer.view.${choice}`)}
            aria-pressed={view === choice}
            onClick={() => changeSettings({ view: choice })}
          >
            <Icon size={20} aria-hidden />
          </ActionIcon>
        )
      })}
    </fieldset>
  )
}

interface ChoiceProps {
  label: string
  isOn: boolean
  onChoose: () => void
}

/** A radio item of a menu. */
export const Choice = ({ label, isOn, onChoose }: ChoiceProps) => (
  <Menu.RadioItem
    value={label}
    checked={isOn}
    checkIcon={<IconCheck size={18} aria-hidden />}
    closeMenuOnClick
    onClick={onChoose}
  >
    {label}
  </Menu.RadioItem>
)

/** Menu with the view options, for every view and width. */
function DisplayMenu() {
  const { t } = useT()
  const [isSetting, setSetting] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { address } = useFolderScreen()
  const { view } = useSettings()
  const isPhone = useIsPhone()
  const { sorting, sortBy } = address
  return (
    <>
      <Menu position="bottom-end" width={220} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon
            ref={button}
            variant="subtle"
            color="gray"
            size={40}
            aria-label={t('explorer.display')}
            title={t('explorer.display')}
          >
            <IconArrowsSort size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {/* These items are left out instead of hidden, because arrow keys would stop at a hidden item. */}
          {isPhone && (
            <>
              <Menu.Label>{t('explorer.view.label')}</Menu.Label>
              {VIEWS.map((choice) => (
                <Choice
                  key={choice}
                  label={t(`explorer.view.${choice}`)}
                  isOn={view === choice}
                  onChoose={() => changeSettings({ view: choice })}
                />
              ))}
            </>
          )}
          <Menu.Label>{t('explorer.sort.label')}</Menu.Label>
          {SORTS.map((sort) => (
            <Choice
              key={sort}
              label={t(`explorer.sort.${sort}`)}
              isOn={sorting.sort === sort}
              onChoose={() => sortBy({ sort, order: sorting.order })}
            />
          ))}
          <Menu.Divider />
          {(['asc', 'desc'] as const).map((order) => (
            <Choice
              key={order}
              label={t(`explorer.order.${order}`)}
              isOn={sorting.order === order}
              onChoose={() => sortBy({ sort: sorting.sort, order })}
            />
          ))}
          {view === 'gallery' && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<IconAdjustments size={18} aria-hidden />}
                onClick={() => {
                  // Moves the focus to the button before the dialog opens. The dialog later restores the focus to the
                  // button, because this menu item no longer exists then.
                  button.current?.focus()
                  setSetting(true)
                }}
              >
                {t('explorer.gallery.settings')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isSetting && <GalleryDialog onClose={() => setSetting(false)} />}
    </>
  )
}

const IN_BAR: ReadonlySet<Command> = new Set(['download', 'share', 'move', 'copy', 'delete'])

/** Commands for the selected entries. */
export function SelectionBar() {
  const { t, language } = useT()
  const { marked, select, commandsOf, run, openMenu } = useFolderScreen()
  const commands = commandsOf(marked)
  const number = formatNumber(marked.length, language)
  useEffect(
    () => () => {
      // The bar disappears with the selection, so the list gets the focus.
      setTimeout(() => {
        if (document.activeElement === document.body) focusGrid()
      }, 0)
    },
    [],
  )
  const unselect = () => {
    focusGrid()
    select(unmarkAll)
  }
  const sizeBytes = marked.reduce((sum, entry) => sum + (entry.sizeBytes ?? 0), 0)
  return (
    // Keys go to the buttons inside; this element handles the keys that the buttons ignore.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      className={bar.selection}
      role="toolbar"
      aria-label={t('explorer.selectionTools')}
      onKeyDown={(event) => {
        if (isKey(event, keyMap.explorer.unmark)) unselect()
      }}
    >
      <ActionIcon
        variant="subtle"
        color="gray"
        size={40}
        aria-label={t('explorer.unselect')}
        title={t('explorer.unselect')}
        onClick={unselect}
      >
        <IconX size={20} aria-hidden />
      </ActionIcon>
      <output className={bar.count}>
        <span className={bar.long}>{t('explorer.selected', { number })}</span>
        <span className={bar.short} aria-hidden>
          {number}
        </span>
        <span className={bar.size}> · {formatBytes(sizeBytes, language)}</span>
      </output>
      {commands
        .filter((command) => IN_BAR.has(command))
        .map((command) => {
          const Icon = COMMAND_ICONS[command]
          return (
            <BarButton
              key={command}
              label={t(`explorer.command.${command}`)}
              icon={<Icon size={18} aria-hidden />}
              isDangerous={command === 'delete'}
              onClick={() => run(command, marked)}
            />
          )
        })}
      {commands.some((command) => !IN_BAR.has(command)) && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          aria-label={t('explorer.more')}
          title={t('explorer.more')}
          aria-haspopup="menu"
          onClick={(event) => {
            const { left, bottom } = event.currentTarget.getBoundingClientRect()
            openMenu({ x: left, y: bottom, isByKey: event.detail === 0 }, marked)
          }}
        >
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}
