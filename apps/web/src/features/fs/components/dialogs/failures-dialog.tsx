import { Button } from '@mantine/core'
import { useT } from '../../../../i18n/use-translation.ts'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import type { Failure } from '../../api/fs.api.ts'
import { nameOfPath } from '../../models/fs-paths.ts'
import styles from './dialogs.module.css'

const NAMED = 200

/** Lists the failed items of a batch. */
export function FailuresDialog({ failures, onClose }: { failures: readonly Failure[]; onClose: () => void }) {
  const { t } = useT()
  const moreCount = failures.length - NAMED
  return (
    <Dialog
      title={t('explorer.failures.title', { count: failures.length })}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <p className={styles.text}>{t('explorer.failures.text')}</p>
      <ul className={styles.names}>
        {failures.slice(0, NAMED).map(({ path, reason }) => (
          <li key={path}>
            <span className={styles.failure}>
              <span>{nameOfPath(path)}</span>
              <span className={styles.reason}>{reason}</span>
            </span>
          </li>
        ))}
      </ul>
      {moreCount > 0 && <p className={styles.more}>{t('common.andMore', { count: moreCount })}</p>}
    </Dialog>
  )
}
