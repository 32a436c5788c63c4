import type { ReconciliationKind, ReconciliationReport } from '@dropleaf/contract'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { displayName } from '../../../domains/storages/display-name.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import styles from './reconciliation.module.css'

interface RepairDialogProps {
  kind: ReconciliationKind
  report: ReconciliationReport
  onCancel: () => void
  onConfirm: () => void
}

interface Named {
  readonly id: string
  readonly name: string
  readonly place: string
}

function namedOf({ kind, report }: Pick<RepairDialogProps, 'kind' | 'report'>, language: string): Named[] {
  if (kind === 'shares') {
    return report.shares.map(({ id, filename, slug, storage, key }) => ({
      id,
      name: `${filename} (${slug})`,
      place: `${displayName(storage)}: ${key}`,
    }))
  }
  if (kind === 'objects') {
    return report.objects.map(({ storage, key, sizeBytes }) => ({
      id: `${storage} ${key}`,
      name: key,
      place: `${displayName(storage)} · ${formatBytes(sizeBytes, language)}`,
    }))
  }
  return []
}

/** Shows what a repair deletes, and asks for confirmation. */
export function RepairDialog({ kind, report, onCancel, onConfirm }: RepairDialogProps) {
  const { t, language } = useT()
  const named = namedOf({ kind, report }, language)
  const { count, removed } = report.found[kind]
  const left = count - removed
  return (
    <ConfirmDialog
      title={t(`reconciliation.kinds.${kind}.ask`)}
      cancelLabel={t('reconciliation.keep')}
      confirmLabel={t('reconciliation.remove', { count: formatNumber(left, language) })}
      isDangerous
      onCancel={onCancel}
      onConfirm={onConfirm}
    >
      <div className={formStyles.fields}>
        <p className={formStyles.text}>{t(`reconciliation.kinds.${kind}.text`)}</p>
        {named.length > 0 && (
          <ul className={styles.named}>
            {named.map(({ id, name, place }) => (
              <li key={id}>
                <span className={styles.namedName}>{name}</span>
                <span className={styles.facts}>{place}</span>
              </li>
            ))}
          </ul>
        )}
        {named.length > 0 && left > named.length && (
          <p className={formStyles.text}>
            {t('reconciliation.more', { count: formatNumber(left - named.length, language) })}
          </p>
        )}
      </div>
    </ConfirmDialog>
  )
}
