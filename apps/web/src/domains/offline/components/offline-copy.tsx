import { IconCloudOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { formatDateTime } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { copyTimeOf, subscribeCopies } from '../copies/copy-times.ts'
import styles from './offline-copy.module.css'

interface OfflineCopyProps {
  /** URL of the request. For several URLs, the age of the oldest copy is shown. */
  url: string | readonly string[]
  onReload: () => void
}

function oldest(urls: readonly string[]): number | null {
  const times = urls.map(copyTimeOf).filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

const useCopyTime = (url: string | readonly string[]): number | null =>
  useSyncExternalStore(subscribeCopies, () => oldest([url].flat()))

/** Shows that the content is an offline copy, and the age of the copy. Shows nothing if the server has responded. */
export function OfflineCopy({ url, onReload }: OfflineCopyProps) {
  const { t, language } = useT()
  const copiedAtMs = useCopyTime(url)
  if (copiedAtMs === null) return null
  return (
    <p className={styles.copy}>
      <IconCloudOff size={16} aria-hidden />
      <span>{t('shell.offlineCopy', { time: formatDateTime(copiedAtMs, language) })}</span>
      <button type="button" className={styles.reload} onClick={onReload}>
        {t('shell.loadAgain')}
      </button>
    </p>
  )
}
