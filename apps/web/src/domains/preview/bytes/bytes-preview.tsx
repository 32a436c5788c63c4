import { KIB } from '@dropleaf/contract'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { readRange } from '../reading/byte-source.ts'
import bytesStyles from './bytes-preview.module.css'
import partStyles from '../preview-parts.module.css'
import { PageSteps } from '../page-steps.tsx'
import type { ProviderProps } from '../providers.ts'
import { usePreviewData } from '../use-preview-data.ts'
import { hexRows } from './hex-rows.ts'

const PAGE_BYTES = 4 * KIB

/** Shows the bytes of a file as a hex dump. */
export function BytesPreview({ source }: ProviderProps) {
  const { t } = useT()
  const [page, setPage] = useState(0)
  const firstByte = page * PAGE_BYTES
  const bytes = usePreviewData({
    source,
    key: ['bytes', page],
    load: (signal) => readRange(source, { firstByte, lastByte: firstByte + PAGE_BYTES - 1, signal }),
  })
  return (
    <div className={partStyles.table}>
      {bytes ? (
        // The element is focusable, so that the keyboard can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className={bytesStyles.pre} tabIndex={0} dir="ltr">
          {hexRows(bytes, firstByte).map((row) => (
            <span key={row.position}>
              <span className={partStyles.muted}>{row.position}</span>
              {`  ${row.bytes}  ${row.characters}\n`}
            </span>
          ))}
        </pre>
      ) : (
        <SkeletonLines label={t('preview.loading')} />
      )}
      {source.sizeBytes > PAGE_BYTES && (
        <PageSteps page={page} count={Math.ceil(source.sizeBytes / PAGE_BYTES)} onChange={setPage} />
      )}
    </div>
  )
}
