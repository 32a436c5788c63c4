import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../i18n/use-translation.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import type { DiffPart, DiffRow } from './line-diff.ts'
import { useLineDiff } from './use-line-diff.ts'
import styles from './text-diff.module.css'

/** Shows the changes between two texts. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const { t, language } = useT()
  const diff = useLineDiff(before, after)
  if (diff === undefined) return <SkeletonLines label={t('common.loading')} />
  if (!diff) return <p className={styles.note}>{t('textView.versions.tooDifferent')}</p>
  if (diff.gone + diff.added === 0) return <p className={styles.note}>{t('textView.versions.same')}</p>
  return (
    <>
      <p className={styles.note}>
        {t('textView.versions.counts', {
          gone: formatNumber(diff.gone, language),
          added: formatNumber(diff.added, language),
        })}
      </p>
      {/* The element is focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles.diff} aria-label={t('textView.versions.changes')} tabIndex={0}>
        {diff.rows.map((row) => (
          <Row key={keyOf(row)} row={row} />
        ))}
      </section>
    </>
  )
}

const keyOf = (row: DiffRow): string =>
  row.kind === 'gap' ? `gap ${row.id}` : row.kind === 'new' ? `new ${row.after}` : `old ${row.before}`

function Row({ row }: { row: DiffRow }) {
  const { t } = useT()
  switch (row.kind) {
    case 'gap':
      return <div className={styles.gap}>{t('textView.versions.gap', { count: row.count })}</div>
    case 'same':
      return (
        <div className={styles.row}>
          <span className={styles.number}>{row.after}</span>
          <span className={styles.sign} />
          <span className={styles.line}>{row.text}</span>
        </div>
      )
    case 'gone':
    case 'new': {
      const isGone = row.kind === 'gone'
      return (
        <div className={styles.row} data-kind={row.kind}>
          <span className={styles.number}>{isGone ? row.before : row.after}</span>
          <span className={styles.sign} aria-hidden>
            {isGone ? '−' : '+'}
          </span>
          <span className="dl-sr">{t(isGone ? 'textView.versions.gone' : 'textView.versions.added')}</span>
          <span className={styles.line}>
            <Parts parts={row.parts} />
          </span>
        </div>
      )
    }
    default:
      return row satisfies never
  }
}

function Parts({ parts }: { parts: readonly DiffPart[] }) {
  return parts.map(({ text, isChanged }, index) =>
    // A part is identified only by its position in the line.
    // oxlint-disable-next-line react/no-array-index-key
    isChanged ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  )
}
