import { SEARCH_MAX_CHARACTERS } from '@dropleaf/contract'
import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useEffectEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { isKey } from '../../lib/keyboard/keys.ts'
import { keyMap } from '../../lib/keyboard/key-map.ts'
import { i18n } from '../../i18n/i18n.ts'
import { useT } from '../../i18n/use-translation.ts'
import { isQueueMarked } from '../../domains/offline/queue/queue-mark.ts'
import { useSession } from '../../domains/session/session.ts'
import { isActionAvailable } from '../../lib/pending-actions.ts'
import type { palette } from '../../locales/zh-CN/palette.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import type { PanelProps } from '../layouts/quick-access.tsx'
import { arrange, asRecent, type ShownGroup } from './arrange.ts'
import { commandsFor } from './commands.ts'
import { useFound } from './found-items.ts'
import type { PaletteItem } from './items.ts'
import { PaletteList, optionId } from './palette-list.tsx'
import styles from './palette.module.css'
import { PaletteStatus } from './palette-status.tsx'
import { readRecent, rememberItem } from './recent.ts'
import { useRunAction } from './use-run-action.ts'

const DEBOUNCE_MS = 200
const PAGE = 8

/**
 * Content of the palette.
 * @param shown the query of the list, which can lag behind the field
 */
function useLines(text: string, shown: string) {
  const { t, language } = useT()
  const session = useSession()
  const { colorScheme: theme } = useMantineColorScheme()
  const [recent] = useState(readRecent)
  const [typed] = useDebouncedValue(text, DEBOUNCE_MS)
  const found = useFound({ typed, session, language, limited: t('palette.limited') })
  const isPending = found.isPending || typed.trim() !== shown.trim()
  const commands = commandsFor({
    session,
    language,
    theme,
    isActionAvailable,
    hasWaiting: isQueueMarked(),
    words: i18n.getResource(language, 'translation', 'palette') as typeof palette,
    adminWord: t('shell.admin'),
  })
  const groups = arrange(shown, { commands, found: isPending ? [] : found.items, recent })
  const isBehind = shown !== text
  /** The best local match of the current input. */
  const findFirst = () => arrange(text, { commands, found: [], recent })[0]?.items[0]
  return {
    groups,
    isPending: isPending || isBehind,
    isBehind,
    findFirst,
    error: found.error,
    retry: found.retry,
    session,
  }
}

type Lines = ReturnType<typeof useLines>

/** The active item, tracked by id, so that changes of other items do not move it. */
function useActive(groups: readonly ShownGroup[]) {
  const items = groups.flatMap((group) => group.items)
  const [wanted, setWanted] = useState<string | null>(null)
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === wanted),
  )
  const active = items[at]
  const moveTo = (index: number) => setWanted(items[index]?.id ?? null)
  /** Moves the active item, and wraps around at both ends of the list. */
  const step = (by: number) => moveTo((at + by + items.length) % Math.max(1, items.length))
  const leap = (by: number) => moveTo(Math.max(0, Math.min(items.length - 1, at + by)))
  return { items, active, setActive: setWanted, moveTo, step, leap }
}

/**
 * Runs a chosen item. If Enter is pressed while the list is empty and the search is running, runs the first result as
 * soon as it arrives.
 */
function useChoice(lines: Lines, { text, onClose, onShowKeys }: PanelProps & { text: string }) {
  const act = useRunAction(onShowKeys)
  const choose = (item: PaletteItem) => {
    const { kind } = item.act
    if (kind === 'go' || kind === 'open') rememberItem(asRecent(item))
    // The dialog must close before the page receives the action.
    flushSync(onClose)
    act(item.act)
  }
  const [awaited, setAwaited] = useState<string | null>(null)
  const chooseFirst = useEffectEvent(() => {
    const [first] = lines.groups.flatMap(({ items }) => items)
    // `choose` calls `flushSync`, which React does not allow in an effect. The call therefore runs in a microtask.
    if (first) queueMicrotask(() => choose(first))
  })
  useEffect(() => {
    if (awaited !== null && awaited === text && !lines.isPending) chooseFirst()
  }, [awaited, text, lines.isPending])
  /** Handles Enter. Works even if the list does not match the text of the field yet. */
  const chooseOrAwait = (active: PaletteItem | undefined) => {
    const chosen = lines.isBehind ? lines.findFirst() : active
    if (chosen) choose(chosen)
    else setAwaited(lines.isPending ? text : null)
  }
  return { choose, chooseOrAwait, cancelAwaited: () => setAwaited(null) }
}

/** Finds pages, commands, shares and files, by keyboard or pointer. */
export function PaletteDialog(props: PanelProps) {
  const { onClose } = props
  const { t } = useT()
  const listId = useId()
  const [text, setText] = useState('')
  const shown = useDeferredValue(text)
  const lines = useLines(text, shown)
  const { items, active, setActive, moveTo, step, leap } = useActive(lines.groups)
  const { choose, chooseOrAwait, cancelAwaited } = useChoice(lines, { text, ...props })
  const onKeyDown = (event: KeyboardEvent) => {
    const acts: Record<string, () => void> = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      PageDown: () => leap(PAGE),
      PageUp: () => leap(-PAGE),
      Home: () => moveTo(0),
      End: () => moveTo(items.length - 1),
      Enter: () => chooseOrAwait(active),
    }
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    const chosen = isKey(event, keyMap.anywhere.palette) ? onClose : isPlain && acts[event.key]
    if (!chosen) return
    event.preventDefault()
    chosen()
  }
  return (
    <Dialog title={t('palette.title')} isBare onClose={onClose}>
      <PaletteField
        listId={listId}
        activeId={active && optionId(listId, active.id)}
        isExpanded={items.length > 0}
        text={text}
        onText={(next) => {
          setText(next)
          setActive(null)
          cancelAwaited()
        }}
        onKeyDown={onKeyDown}
      />
      <div className={styles.body}>
        <PaletteList
          listId={listId}
          groups={lines.groups}
          query={shown}
          activeId={active?.id ?? null}
          onActive={setActive}
          onChoose={choose}
        />
        <PaletteStatus
          text={shown}
          count={items.length}
          isPending={lines.isPending}
          error={lines.error}
          isVisitor={lines.session.kind === 'none'}
          onRetry={lines.retry}
        />
      </div>
      <Tips />
    </Dialog>
  )
}

interface PaletteFieldProps {
  listId: string
  activeId: string | undefined
  isExpanded: boolean
  text: string
  onText: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function PaletteField({ listId, activeId, isExpanded, text, onText, onKeyDown }: PaletteFieldProps) {
  const { t } = useT()
  return (
    <div className={styles.head}>
      <IconSearch size={20} aria-hidden />
      <input
        className={styles.field}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a field with a list below it that shows more than text
        role="combobox"
        aria-label={t('palette.field')}
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={SEARCH_MAX_CHARACTERS}
        placeholder={t('palette.placeholder')}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

/** Shows the keys of the palette. */
function Tips() {
  const { t } = useT()
  return (
    <p className={styles.tips} aria-hidden>
      <span>
        <kbd className="dl-key">↑</kbd> <kbd className="dl-key">↓</kbd> {t('palette.tips.choose')}
      </span>
      <span>
        <kbd className="dl-key">Enter</kbd> {t('palette.tips.open')}
      </span>
      <span>
        <kbd className="dl-key">Esc</kbd> {t('palette.tips.close')}
      </span>
    </p>
  )
}
