import { Button } from '@mantine/core'
import { formatBytes, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Entry } from '../models/entries.ts'
import { kindOf } from '../models/entries.ts'
import styles from './dialogs.module.css'

export function PropertiesDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { t, language } = useT()
  const kind = kindOf(entry)
  return (
    <Dialog
      title={entry.name}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <dl className={styles.facts}>
        <dt>{t('explorer.sort.type')}</dt>
        <dd>
          {entry.isVirtual
            ? t('explorer.kind.mount')
            : kind === 'folder'
              ? t('explorer.kind.folder')
              : t(`preview.kinds.${kind}`)}
        </dd>
        <dt>{t('explorer.path')}</dt>
        <dd className={styles.link}>
          <span>{entry.path}</span>
          <CopyButton text={entry.path} label={t('explorer.copyPath')} />
        </dd>
        {entry.sizeBytes !== null && (
          <>
            <dt>{t('explorer.sort.size')}</dt>
            <dd>
              {formatBytes(entry.sizeBytes, language)} (
              {t('explorer.bytes', { number: formatNumber(entry.sizeBytes, language) })})
            </dd>
          </>
        )}
        {entry.modifiedAtMs !== null && (
          <>
            <dt>{t('explorer.sort.modified')}</dt>
            <dd>{formatDateTime(entry.modifiedAtMs, language)}</dd>
          </>
        )}
      </dl>
    </Dialog>
  )
}
