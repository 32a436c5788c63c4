import { IconWifiOff, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useT } from '../lib/i18n/use-translation.ts'
import type { NoticeAction } from '../lib/notices.ts'
import { dismissNotice, useNotices } from '../lib/notices.ts'
import styles from './notices.module.css'

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** As the browser knows it: a server that is away is told by what fails. */
const useIsOffline = () =>
  useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  )

/** How much of the lower edge they take, for what would be below them. */
function useRoom() {
  const region = useRef<HTMLOutputElement>(null)
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) => {
      const heightPx = entry?.contentRect.height ?? 0
      if (heightPx === 0) style.removeProperty('--dl-notices')
      else style.setProperty('--dl-notices', `calc(${Math.ceil(heightPx) + 24}px + var(--dl-dock, 0px))`)
    })
    if (region.current) observer.observe(region.current)
    return () => observer.disconnect()
  }, [])
  return region
}

export function Notices() {
  const region = useRoom()
  const notices = useNotices()
  const { t } = useT()
  const isOffline = useIsOffline()
  return (
    <output ref={region} className={`${styles.region} dl-no-print`} aria-live="polite">
      {isOffline && (
        <div className={styles.offline}>
          <IconWifiOff size={18} aria-hidden />
          {t('shell.offline')}
        </div>
      )}
      {notices.map((notice) => (
        <div key={notice.id} className={styles.notice}>
          <span>{notice.text}</span>
          {notice.action && <ActionButton id={notice.id} action={notice.action} />}
          <button
            type="button"
            className={styles.close}
            aria-label={t('common.close')}
            onClick={() => dismissNotice(notice.id)}
          >
            <IconX size={16} aria-hidden />
          </button>
        </div>
      ))}
    </output>
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
