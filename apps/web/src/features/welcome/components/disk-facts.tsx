import { IconServer } from '@tabler/icons-react'
import { formatBytes } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import type { GuideFacts } from '../api/welcome.queries.ts'
import { isNearlyFull } from '../models/guide.ts'
import styles from './guide.module.css'

/** Shows where the server stores files, and how much space is available. */
export function DiskFacts({ disk }: { disk: NonNullable<GuideFacts['disk']> }) {
  const { t, language } = useT()
  const free = formatBytes(disk.freeBytes, language)
  const total = formatBytes(disk.totalBytes, language)
  return (
    <>
      <div className={styles.disk}>
        <span className={styles.diskIcon}>
          <IconServer size={20} aria-hidden />
        </span>
        <dl className={styles.facts}>
          <dt>{t('welcome.storage.folder')}</dt>
          <dd>
            <code>{disk.folder}</code>
          </dd>
          <dt>{t('welcome.storage.free')}</dt>
          <dd>{t('welcome.storage.freeOf', { free, total })}</dd>
        </dl>
      </div>
      {isNearlyFull(disk) && <Banner tone="warning">{t('welcome.storage.fewFree')}</Banner>}
    </>
  )
}
