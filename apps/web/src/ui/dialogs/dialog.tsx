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
  /** Id of what is spoken after the title when it opens by itself. */
  describedBy?: string
  onClose: () => void
  children: ReactNode
  /** For lists and forms of several columns. */
  isWide?: boolean
  /** As wide as the window. */
  isFull?: boolean
  /** Its first line says what it is, so that the title is only spoken; at the top of the window, it closes by a press beside it. */
  isBare?: boolean
  /** Buttons in the last row, one of which closes; without them there is one at the top. The first one has the focus unless a field asks for it. */
  actions?: ReactNode
}

const CONTROLS = 'a, button, input, textarea, select, summary, iframe, [tabindex], [contenteditable="true"]'

/** A modal on the browser's own `dialog`: it traps the focus, closes on Esc or a step back in the browser, and gives the focus back. */
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
    // Who points need not see where the keyboard is, before it is used.
    const isByKeys = document.activeElement?.matches(':focus-visible') === true
    if (dialog && !isByKeys) dialog.dataset['pointed'] = ''
    const close = dialog ? openModal(dialog) : null
    // Browsers begin at a list that scrolls, too: a question is answered first.
    if (!document.activeElement?.matches(CONTROLS)) buttons.current?.querySelector('button')?.focus()
    // What is pressed in a page of somebody else is not heard here: it would not be closed by Esc.
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
        // Left to the browser, one Esc may close several dialogs, or one that asks first.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      onCancel={(event) => {
        // Where somebody closes the window for choosing files, its field says so to all that is around it.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        // Browsers close by themselves on an Esc after one that was refused: what is open stays open until it is taken away.
        if (currentTarget.open) return
        currentTarget.showModal()
        onClose()
      }}
    >
      <h2 id={titleId} className={isBare ? 'dl-sr' : styles.title}>
        {title}
      </h2>
      {children}
      {/* After the content, so that a field in it has the focus first. */}
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
