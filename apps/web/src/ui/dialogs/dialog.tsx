import { CloseButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import styles from './dialog.module.css'
import { rememberFocus } from '../focus/focus-restore.ts'
import { openModal } from './open-modals.ts'
import { useLayer } from './use-layer.ts'

interface DialogProps {
  title: string
  /** Id of the text that is announced after the title when the dialog opens. */
  describedBy?: string
  onClose: () => void
  children: ReactNode
  /** Makes the dialog wide enough for lists, and for forms with several columns. */
  isWide?: boolean
  /** Makes the dialog as wide as the window. */
  isFull?: boolean
  /**
   * Whether the first row replaces the title, which is then only announced. Such a dialog is at the top of the window,
   * and closes on a click outside.
   */
  isBare?: boolean
  /**
   * Buttons in the last row, including a button that closes the dialog. If absent, there is a close button at the top.
   * The first button has the focus, unless a field gets the focus.
   */
  actions?: ReactNode
}

const CONTROLS = 'a, button, input, textarea, select, summary, iframe, [tabindex], [contenteditable="true"]'

/**
 * A modal dialog with the native `dialog` element. Traps the focus, closes on Esc or a back step, and restores the
 * focus.
 */
export function Dialog(props: DialogProps) {
  const { title, describedBy, onClose, children, actions } = props
  const { isWide = false, isFull = false, isBare = false } = props
  const { t } = useT()
  const element = useRef<HTMLDialogElement>(null)
  const closing = useRef<HTMLButtonElement>(null)
  const buttons = useRef<HTMLDivElement>(null)
  const titleId = useId()
  useLayer(onClose)
  useEffect(() => {
    const dialog = element.current
    const giveBack = rememberFocus()
    // Hides the focus ring from pointer users until they use the keyboard.
    const isByKeys = document.activeElement?.matches(':focus-visible') === true
    if (dialog && !isByKeys) dialog.dataset['pointed'] = ''
    const close = dialog ? openModal(dialog) : null
    // Browsers might focus a scrolling list first, but a confirmation must focus a button.
    if (!document.activeElement?.matches(CONTROLS)) buttons.current?.querySelector('button')?.focus()
    // Keys within a third-party frame do not reach this page, so Esc would not close the dialog.
    if (document.activeElement instanceof HTMLIFrameElement) closing.current?.focus()
    return () => {
      close?.()
      giveBack()
    }
  }, [])
  return (
    <dialog
      ref={element}
      className={styles.dialog}
      data-wide={isWide || undefined}
      data-full={isFull || undefined}
      data-bare={isBare || undefined}
      closedby={isBare ? 'any' : undefined}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onKeyDown={(event) => {
        delete event.currentTarget.dataset['pointed']
        // Replaces the native behaviour, because a native Esc can close several dialogs at once, or close a dialog
        // before it has asked for confirmation.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      onCancel={(event) => {
        // Ignores the cancel event of a file picker, which bubbles from its field.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        // Browsers close a dialog without a cancel event on a second Esc, but the dialog must stay open until it is
        // unmounted.
        if (currentTarget.open) return
        currentTarget.showModal()
        onClose()
      }}
    >
      <h2 id={titleId} className={isBare ? 'dl-sr' : styles.title}>
        {title}
      </h2>
      {children}
      {/* The button is after the content, so that a field gets the focus first. */}
      {!actions && (
        <CloseButton
          ref={closing}
          className={styles.close}
          size="lg"
          aria-label={t('common.close')}
          onClick={onClose}
        />
      )}
      {actions && (
        <div ref={buttons} className={styles.actions}>
          {actions}
        </div>
      )}
    </dialog>
  )
}
