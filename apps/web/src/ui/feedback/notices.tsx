import { IconAlertCircle, IconWifiOff, IconX } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../../i18n/use-translation.ts'
import type { Notice, NoticeAction } from '../../lib/notices.ts'
import { dismissNotice, holdNotices, LINE_TOPIC, useNotices } from '../../lib/notices.ts'
import { passFocusOn } from '../focus/focus-restore.ts'
import styles from './notices.module.css'
import { useTopModal } from '../dialogs/open-modals.ts'
import { useEngaged } from './use-engaged.ts'

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Whether the browser is offline. Failed requests detect an unreachable server instead. */
const useIsOffline = () =>
  useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  )

/** Publishes the height of the notices as a CSS variable, so that content at the bottom edge can avoid them. */
function useRoom(region: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) => {
      const heightPx = entry?.contentRect.height ?? 0
      if (heightPx === 0) style.removeProperty('--dl-notices')
      else style.setProperty('--dl-notices', `calc(${Math.ceil(heightPx) + 24}px + var(--dl-dock, 0px))`)
    })
    if (region.current) observer.observe(region.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--dl-notices')
    }
  }, [region])
}

/** Pauses the timeouts of notices while the pointer or the focus is on them. */
function useHold(region: RefObject<HTMLElement | null>, notices: readonly Notice[]) {
  const isHeld = useEngaged(region)
  const shown = notices.map(({ id }) => id).join(' ')
  useEffect(() => {
    // Checks the region again, because a notice with the pointer or the focus might have been removed.
    holdNotices(shown !== '' && isHeld && region.current?.matches(':hover, :focus-within') === true)
  }, [isHeld, shown, region])
}

/**
 * Shows notices over the page. While a dialog is open, shows them over the top dialog, because everything else is
 * inert.
 */
export function Notices() {
  const notices = useNotices()
  const modal = useTopModal()
  return (
    <>
      <Region notices={modal ? NONE : notices}>
        <OfflineBadge isShown={notices.some(({ topic }) => topic === LINE_TOPIC)} />
      </Region>
      {modal && createPortal(<Region notices={notices} />, modal)}
    </>
  )
}

const NONE: readonly Notice[] = []

function Region({ notices, children }: { notices: readonly Notice[]; children?: ReactNode }) {
  const region = useRef<HTMLDivElement>(null)
  useRoom(region)
  useHold(region, notices)
  const shown = (isError: boolean) =>
    notices
      .filter(({ tone }) => (tone === 'error') === isError)
      .map((notice) => <ShownNotice key={notice.id} notice={notice} />)
  return (
    <div ref={region} className={`${styles.region} dl-no-print`}>
      {/* The region is not atomic, because each change of an atomic region announces all notices again. */}
      <output className={styles.said} aria-live="polite" aria-atomic={false}>
        {children}
        {shown(false)}
      </output>
      {shown(true)}
    </div>
  )
}

function OfflineBadge({ isShown }: { isShown: boolean }) {
  const { t } = useT()
  const isOffline = useIsOffline()
  if (!isOffline || isShown) return null
  return (
    <span className={styles.offline}>
      <IconWifiOff size={18} aria-hidden />
      {t('shell.offline')}
    </span>
  )
}

function ShownNotice({ notice: { id, tone, text, action } }: { notice: Notice }) {
  const { t } = useT()
  const textId = useId()
  const isError = tone === 'error'
  return (
    <span ref={passFocusOn} className={styles.notice} data-tone={tone} role={isError ? 'alert' : undefined}>
      {isError && <IconAlertCircle size={20} aria-hidden />}
      <span id={textId}>{text}</span>
      {action && <ActionButton id={id} action={action} />}
      <button
        type="button"
        className={styles.close}
        aria-label={t('common.dismiss')}
        aria-describedby={textId}
        onClick={() => dismissNotice(id)}
      >
        <IconX size={16} aria-hidden />
      </button>
    </span>
  )
}

function ActionButton({ id, action }: { id: number; action: NoticeAction }) {
  return (
    <button
      type="button"
      className={styles.action}
      onClick={() => {
        dismissNotice(id)
        action.run()
      }}
    >
      {action.label}
    </button>
  )
}
