import { IconDots } from '@tabler/icons-react'
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { Menu } from '../../../ui/dialogs/menu.tsx'
import styles from './toolbar.module.css'

export interface ToolEntry {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  /** Keyboard shortcut in readable form, such as `Ctrl B`. */
  readonly shortcut?: string | null
  readonly isActive?: boolean
  readonly isOff?: boolean
  readonly run: () => void
}

export interface Tool extends Omit<ToolEntry, 'run' | 'icon'> {
  readonly icon: ReactNode
  /** Whether the tool starts a group, with a gap before it. */
  readonly isFirst?: boolean
  readonly run?: () => void
  /** If set, the tool opens a menu instead of running an action. */
  readonly entries?: readonly ToolEntry[]
}

const GAP_PX = 9

/** Counts how many tools fit beside the menu button. */
function countVisible(tools: readonly Tool[], widthPx: number, sizePx: number): number {
  let usedPx = 0
  let count = 0
  for (const { isFirst = false } of tools) {
    usedPx += sizePx + (isFirst && count > 0 ? GAP_PX : 0)
    const isLast = count === tools.length - 1
    if (usedPx > widthPx - (isLast ? 0 : sizePx)) break
    count += 1
  }
  return count
}

function useRoom() {
  const row = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState({ widthPx: 0, sizePx: 34 })
  useEffect(() => {
    const element = row.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      const sizePx = Number.parseFloat(getComputedStyle(element).getPropertyValue('--tool')) || 34
      setRoom({ widthPx: entry?.contentRect.width ?? 0, sizePx })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { row, room }
}

const NEXT: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
}

/** A row of tools with one tab stop; arrow keys move within the row. Tools that do not fit are in a menu. */
export function Toolbar({ tools, end }: { tools: readonly Tool[]; end?: ReactNode }) {
  const { t } = useT()
  const { row, room } = useRoom()
  const [focused, setFocused] = useState(0)
  const visible = tools.slice(0, countVisible(tools, room.widthPx, room.sizePx))
  const hidden = tools.slice(visible.length)
  const count = visible.length + (hidden.length > 0 ? 1 : 0)
  const stop = Math.min(focused, Math.max(0, count - 1))
  const move = (event: KeyboardEvent) => {
    const next = NEXT[event.key]
    const isOnTool = event.target instanceof HTMLElement && event.target.matches('[data-tool]')
    if (!next || !isOnTool) return
    event.preventDefault()
    const index = next(stop, count)
    setFocused(index)
    row.current?.querySelectorAll<HTMLElement>('[data-tool]')[index]?.focus()
  }
  return (
    <div className={styles.bar}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tools inside have the focus */}
      <div ref={row} className={styles.row} role="toolbar" aria-label={t('editor.tools')} onKeyDown={move}>
        {visible.map((tool, index) => {
          const place = { tabIndex: index === stop ? 0 : -1, onFocus: () => setFocused(index) }
          return tool.entries ? (
            <MenuTool key={tool.id} tool={tool} place={place} />
          ) : (
            <ToolButton key={tool.id} tool={tool} place={place} />
          )
        })}
        {hidden.length > 0 && room.widthPx > 0 && (
          <More
            tools={hidden}
            place={{ tabIndex: stop === count - 1 ? 0 : -1, onFocus: () => setFocused(count - 1) }}
          />
        )}
      </div>
      {end}
    </div>
  )
}

interface Place {
  readonly tabIndex: number
  readonly onFocus: () => void
}

function ToolButton({ tool, place }: { tool: Tool; place: Place }) {
  const { t } = useT()
  return (
    <button
      type="button"
      className={styles.tool}
      data-tool={tool.id}
      data-first={tool.isFirst || undefined}
      aria-label={tool.label}
      title={tool.shortcut ? t('common.nameAndKind', { name: tool.label, kind: tool.shortcut }) : tool.label}
      aria-pressed={tool.isActive}
      aria-disabled={tool.isOff || undefined}
      // Preserves the text selection and keeps the on-screen keyboard open.
      onPointerDown={(event) => event.preventDefault()}
      onClick={tool.isOff ? undefined : tool.run}
      {...place}
    >
      {tool.icon}
    </button>
  )
}

function MenuTool({ tool, place }: { tool: Tool; place: Place }) {
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <button
          type="button"
          className={styles.tool}
          data-tool={tool.id}
          data-first={tool.isFirst || undefined}
          data-active={tool.isActive || undefined}
          aria-label={tool.label}
          title={tool.label}
          {...place}
        >
          {tool.icon}
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu ?? ''}>
        {tool.entries?.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Entry({ entry }: { entry: ToolEntry }) {
  return (
    <Menu.Item
      leftSection={entry.icon}
      disabled={entry.isOff ?? false}
      {...(entry.isActive !== undefined && {
        renderRoot: (props: object) => (
          <button {...props} type="button" role="menuitemcheckbox" aria-checked={entry.isActive} />
        ),
      })}
      {...(entry.isActive && { 'data-active': true })}
      rightSection={entry.shortcut ? <kbd className={styles.keys}>{entry.shortcut}</kbd> : undefined}
      onClick={entry.run}
    >
      {entry.label}
    </Menu.Item>
  )
}

function More({ tools, place }: { tools: readonly Tool[]; place: Place }) {
  const { t } = useT()
  return (
    <Menu position="bottom-end" returnFocus={false}>
      <Menu.Target>
        <button
          type="button"
          className={styles.tool}
          data-tool="more"
          aria-label={t('editor.more')}
          title={t('editor.more')}
          {...place}
        >
          <IconDots size={20} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu ?? ''}>
        {tools.map((tool, index) => (
          <Fragment key={tool.id}>
            {tool.isFirst && index > 0 && <Menu.Divider />}
            {tool.entries ? (
              <>
                <Menu.Label>{tool.label}</Menu.Label>
                {tool.entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </>
            ) : (
              <Entry entry={{ ...tool, run: tool.run ?? (() => undefined) }} />
            )}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
