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
  /** Wide enough for lists and forms with several columns. */
  isWide?: boolean
  /** As wide as the window. */
  isFull?: boolean
  /**
   * The first row identifies it, so the title is only announced; at the top of the window, and closes by a click
   * outside.
   */
  isBare?: boolean
  /**
   * Buttons in the last row, including one that closes; without them there is a close button at the top. The first
   * button has the focus unless a field takes it.
   */
  actions?: ReactNode
}

const CONTROLS = 'a, button, input, textarea, select, summary, iframe, [tabindex], [contenteditable="true"]'

/** A modal with the native `dialog`: traps the focus, closes on Esc or a back step, and restores the focus. */
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
    // Pointer users see no focus ring before they use the keyboard.
    const isByKeys = document.activeElement?.matches(':focus-visible') === true
    if (dialog && !isByKeys) dialog.dataset['pointed'] = ''
    const close = dialog ? openModal(dialog) : null
    // Browsers may focus a scrolling list first: confirmations focus a button.
    if (!document.activeElement?.matches(CONTROLS)) buttons.current?.querySelector('button')?.focus()
    // Keys within a foreign frame do not reach this page: Esc would not close the dialog.
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
        // With the native behaviour one Esc may close several dialogs, or one that asks first.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      onCancel={(event) => {
        // The cancel event of a file picker bubbles from its field.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        // Browsers close a dialog without an event on a second Esc: it stays open until it is unmounted.
        if (currentTarget.open) return
        currentTarget.showModal()
        onClose()
      }}
    >
      <h2 id={titleId} className={isBare ? 'dl-sr' : styles.title}>
        {title}
      </h2>
      {children}
      {/* After the content, so that a field takes the focus first. */}
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
