import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { keyMap } from '../../../../lib/keyboard/key-map.ts'
import { isKey } from '../../../../lib/keyboard/keys.ts'
import { useKeptFocus } from '../../../../ui/focus/focus-restore.ts'
import { SpokenStep } from './preview-bar.tsx'
import styles from './preview.module.css'
import type { Neighbours } from './use-neighbours.ts'
import { useSwipe } from './use-swipe.ts'

const isBusyWithKeys = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, video, audio, [contenteditable="true"], [role="menu"]') !== null

interface PreviewKeys {
  goBack: (() => void) | null
  goOn: (() => void) | null
  onClose: () => void
  isOff: boolean
}

function usePreviewKeys(keys: PreviewKeys) {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { goBack, goOn, onClose, isOff } = latest.current
      const isElsewhere = document.querySelector('dialog[open], [role="menu"]') !== null
      if (isOff || isElsewhere || event.defaultPrevented) return
      if (isKey(event, keyMap.preview.close)) onClose()
      if (isBusyWithKeys(event.target)) return
      if (isKey(event, keyMap.preview.before)) goBack?.()
      if (isKey(event, keyMap.preview.after)) goOn?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Locks the scroll position of the page, and restores the focus when the preview closes. */
function useCover() {
  const cover = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    const { style } = document.documentElement
    const before = style.overflowY
    style.overflowY = 'hidden'
    cover.current?.focus({ preventScroll: true })
    return () => {
      style.overflowY = before
      const grid = document.querySelector<HTMLElement>('[role="grid"]')
      const isOther =
        opener instanceof HTMLElement && opener !== document.body && opener.closest('[role="grid"]') === null
      // The grid restores its active entry when it gets the focus. An empty folder has no grid, so `main` gets the
      // focus.
      const back =
        isOther && opener.isConnected ? opener : (grid ?? document.querySelector<HTMLElement>('main'))
      back?.focus({ preventScroll: true })
    }
  }, [])
  return cover
}

interface PreviewCoverProps {
  name: string
  neighbours: Pick<Neighbours, 'path' | 'index' | 'count' | 'goBack' | 'goOn'>
  /** Whether the file is being edited. Keys and swipes are then ignored. */
  isOff?: boolean
  bar: ReactNode
  onClose: () => void
  children: ReactNode
}

/** Covers the page with a file. Keys, swipes and buttons open the previous or next file. */
export function PreviewCover({ name, neighbours, isOff = false, bar, onClose, children }: PreviewCoverProps) {
  const { t } = useT()
  const { path, index, count, goBack, goOn } = neighbours
  const cover = useCover()
  useKeptFocus(cover)
  usePreviewKeys({ goBack, goOn, onClose, isOff })
  const swipe = useSwipe({ onLeft: goOn, onRight: goBack, isOff })
  return (
    <div
      ref={cover}
      className={styles.cover}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a modal dialog would cover its own menus and notices
      role="dialog"
      aria-label={name}
      // The cover is focusable, so that it can have the focus while no element inside has the focus.
      tabIndex={-1}
      {...swipe}
    >
      <SpokenStep name={name} place={index === -1 ? null : { index, count }} />
      {bar}
      <div className={styles.stage}>
        {!isOff && (
          <StepButton label={t('explorer.preview.before')} side="left" onClick={goBack}>
            <IconChevronLeft size={24} aria-hidden />
          </StepButton>
        )}
        <div className={styles.content} key={path}>
          {children}
        </div>
        {!isOff && (
          <StepButton label={t('explorer.preview.after')} side="right" onClick={goOn}>
            <IconChevronRight size={24} aria-hidden />
          </StepButton>
        )}
      </div>
    </div>
  )
}

interface StepButtonProps {
  label: string
  side: 'left' | 'right'
  onClick: (() => void) | null
  children: ReactNode
}

function StepButton({ label, side, onClick, children }: StepButtonProps) {
  return (
    <ActionIcon
      className={styles.step}
      data-side={side}
      variant="default"
      size={44}
      radius="xl"
      aria-label={label}
      title={label}
      disabled={onClick === null}
      onClick={() => onClick?.()}
    >
      {children}
    </ActionIcon>
  )
}
