import { BACKUP_KINDS, type BackupCounts, type BackupImport } from '@dropleaf/contract'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import styles from './backup.module.css'

const sumOf = (counts: BackupCounts) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Shows how many records of each kind a backup contains, or an import has restored. */
export function Counts({ counts }: { counts: BackupCounts }) {
  const { t, language } = useT()
  return (
    <dl className={styles.counts}>
      {BACKUP_KINDS.map((kind) => (
        <div key={kind}>
          <dt>{t(`backup.kinds.${kind}`)}</dt>
          <dd>{formatNumber(counts[kind], language)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Shows what an import restored, what it skipped and why, and which secrets must be entered again. */
export function ImportResult({ result }: { result: BackupImport }) {
  const { t } = useT()
  const skipped = sumOf(result.skippedCounts)
  const gaps = sumOf(result.gapCounts)
  // Two skipped records can have the same kind and name, so the index is the key.
  const skippedItems = result.skipped.map((item, index) => ({ ...item, key: String(index) }))
  return (
    <div className={styles.section}>
      <Banner tone="success">{t('backup.imported', { count: sumOf(result.imported) })}</Banner>
      <Counts counts={result.imported} />
      {gaps > 0 && (
        <Banner tone="warning">
          {t('backup.gaps', { count: gaps })}
          {/* The list is focusable, so that the keyboard can scroll it. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <ul className={styles.list} tabIndex={0}>
            {result.gaps.map(({ kind, name, gap }) => (
              <li key={`${kind}:${name}`}>
                {t('backup.item', {
                  kind: t(`backup.kinds.${kind}`),
                  name,
                  text: t(`backup.gapTexts.${gap}`),
                })}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      {skipped > 0 && (
        <details>
          <summary>{t('backup.skipped', { count: skipped })}</summary>
          {/* The list is focusable, so that the keyboard can scroll it. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <ul className={styles.list} tabIndex={0}>
            {skippedItems.map(({ kind, name, reason, key }) => (
              <li key={key}>
                {t('backup.item', {
                  kind: t(`backup.kinds.${kind}`),
                  name,
                  text: t(`backup.reasons.${reason}`),
                })}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
