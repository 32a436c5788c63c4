import { useState } from 'react'
import type { Encoding } from '../../../lib/text/detect-encoding.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import styles from '../preview-parts.module.css'
import type { ProviderProps } from '../providers.ts'
import { SmallSelect } from '../small-select.tsx'
import { EncodingSelect } from '../text/encoding-select.tsx'
import { type Delimiter, DELIMITERS } from './csv.ts'
import { useCsv } from './use-csv.ts'
import { VirtualTable } from './virtual-table.tsx'

const NAMES = { ',': 'comma', '\t': 'tab', ';': 'semicolon', '|': 'bar' } as const

export function CsvPreview({ source, isFull }: ProviderProps) {
  const { t, language } = useT()
  const [delimiter, setDelimiter] = useState<Delimiter | null>(null)
  const [encoding, setEncoding] = useState<Encoding | null>(null)
  const [hasHead, setHead] = useState(true)
  const csv = useCsv(source, { delimiter, encoding })
  if (!csv) return <SkeletonLines label={t('preview.loading')} />
  const { rows, isComplete, error, readMore } = csv
  const count = Math.max(0, rows.length - (hasHead ? 1 : 0))
  return (
    <div className={styles.table}>
      <div className={styles.bar}>
        <span className={styles.state}>
          {t(isComplete ? 'viewer.table.rows' : 'viewer.table.rowsSoFar', {
            count,
            number: formatNumber(count, language),
          })}
        </span>
        <label className={styles.select}>
          <input
            type="checkbox"
            checked={hasHead}
            onChange={({ currentTarget }) => setHead(currentTarget.checked)}
          />
          {t('viewer.table.head')}
        </label>
        <SmallSelect
          label={t('viewer.table.delimiter')}
          value={csv.delimiter}
          options={DELIMITERS.map((value) => ({ value, label: t(`viewer.table.${NAMES[value]}`) }))}
          onChange={(value) => setDelimiter(value as Delimiter)}
        />
        <EncodingSelect shown={csv.encoding} choose={setEncoding} />
      </div>
      {error !== null && <FailedBanner error={error} onRetry={readMore} />}
      <VirtualTable
        key={`${csv.delimiter} ${encoding ?? ''}`}
        label={source.name}
        head={hasHead ? (rows[0] ?? []) : null}
        rows={rows}
        count={rows.length}
        firstRow={hasHead ? 1 : 0}
        isFull={isFull}
        onNearEnd={readMore}
      />
    </div>
  )
}
