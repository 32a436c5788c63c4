import { IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import styles from './tree.module.css'
import { findByTyping, moveByKey, type TreeRow } from './tree-model.ts'

interface TreeProps {
  label: string
  rows: readonly TreeRow[]
  chosenId: string
  icon: ReactNode
  onChoose: (id: string) => void
  onOpen: (id: string, isOpen: boolean) => void
}

/** Maximum pause between two characters of a word. */
const TYPING_MS = 700

/** Scrolls to an item, unless a row has the focus. */
const showIt = (item: HTMLElement | null) => {
  if (item?.parentElement?.contains(document.activeElement) === false)
    item.scrollIntoView({ block: 'nearest' })
}

function useTyping() {
  const typed = useRef({ text: '', atMs: 0 })
  return (letter: string): string => {
    const nowMs = Date.now()
    const before = nowMs - typed.current.atMs < TYPING_MS ? typed.current.text : ''
    typed.current = { text: before + letter, atMs: nowMs }
    return typed.current.text
  }
}

/**
 * A tree in which the user chooses one row. It has one tab stop. Arrows, Home, End and characters move the focus; Enter
 * and Space choose.
 */
export function Tree({ label, rows, chosenId, icon, onChoose, onOpen }: TreeProps) {
  const [movedId, setActiveId] = useState(chosenId)
  const list = useRef<HTMLUListElement>(null)
  const addLetter = useTyping()
  const isMoved = useRef(false)
  const isThere = (id: string) => rows.some((row) => row.id === id)
  const isChosenThere = isThere(chosenId)
  useEffect(() => {
    // Moves the focus to the chosen row if a dialog has focused the first row before the chosen row was loaded.
    if (!isChosenThere || isMoved.current || !list.current?.contains(document.activeElement)) return
    list.current.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
  }, [isChosenThere])
  const activeId = [movedId, chosenId].find(isThere) ?? rows[0]?.id ?? ''
  const focus = (id: string) => {
    setActiveId(id)
    const item = [...(list.current?.children ?? [])].find(
      (child) => (child as HTMLElement).dataset['id'] === id,
    )
    if (item instanceof HTMLElement) item.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { key } = event
    if (key !== 'Tab' && key !== 'Shift') isMoved.current = true
    if (key === 'Enter' || key === ' ') onChoose(activeId)
    else if (key.length === 1) {
      const found = findByTyping(rows, activeId, addLetter(key))
      if (found !== null) focus(found)
    } else {
      const move = moveByKey(rows, activeId, key)
      const isOurs = key.startsWith('Arrow') || key === 'Home' || key === 'End'
      if (!isOurs) return
      if (move?.kind === 'focus') focus(move.id)
      else if (move) onOpen(move.id, move.kind === 'open')
    }
    event.preventDefault()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its rows are focusable
    <ul ref={list} className={styles.tree} role="tree" aria-label={label} onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <TreeItem
          key={row.id}
          row={row}
          isChosen={row.id === chosenId}
          isActive={row.id === activeId}
          icon={icon}
          onClick={() => {
            isMoved.current = true
            setActiveId(row.id)
            onChoose(row.id)
          }}
          onFocus={() => setActiveId(row.id)}
          onToggle={() => {
            isMoved.current = true
            focus(row.id)
            onOpen(row.id, !row.isOpen)
          }}
        />
      ))}
    </ul>
  )
}

interface TreeItemProps {
  row: TreeRow
  isChosen: boolean
  isActive: boolean
  icon: ReactNode
  onClick: () => void
  onFocus: () => void
  onToggle: () => void
}

function TreeItem({ row, isChosen, isActive, icon, onClick, onFocus, onToggle }: TreeItemProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree handles the keys of its items
    <li
      ref={isChosen ? showIt : undefined}
      role="treeitem"
      className={styles.row}
      data-id={row.id}
      style={{ paddingInlineStart: `calc(${row.level - 1} * var(--tree-step))` }}
      aria-label={row.name}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblingCount}
      aria-expanded={row.isLeaf ? undefined : row.isOpen}
      aria-selected={isChosen}
      aria-busy={row.isBusy || undefined}
      tabIndex={isActive ? 0 : -1}
      onClick={onClick}
      onFocus={onFocus}
    >
      <span
        className={styles.toggle}
        aria-hidden
        data-leaf={row.isLeaf || undefined}
        onClick={(event) => {
          if (row.isLeaf) return
          event.stopPropagation()
          onToggle()
        }}
      >
        {!row.isLeaf && <IconChevronRight size={16} />}
      </span>
      {icon}
      <span className={styles.name}>{row.name}</span>
    </li>
  )
}
