import type { IndexStatus } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { formatBytes, formatPercent, formatRelative } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import progressStyles from '../../../ui/feedback/progress.module.css'
import styles from './mounts.module.css'

interface IndexLineProps {
  name: string
  index: IndexStatus | undefined
  isIndexing: boolean
  onIndex: () => void
}

/** State of a storage's index, which the search and folder sizes use. */
export function IndexLine({ name, index, isIndexing, onIndex }: IndexLineProps) {
  const { t, language } = useT()
  const [wasIndexing, setWasIndexing] = useState(isIndexing)
  if (isIndexing && !wasIndexing) setWasIndexing(true)
  if (!index) return null
  return (
    <div className={styles.index} data-failed={(index.state === 'failed' && !isIndexing) || undefined}>
      <span>
        <IndexText index={index} isIndexing={isIndexing} />
      </span>
      {isIndexing && (
        <progress
          className={progressStyles.bar}
          aria-label={t('mounts.index.progress', { name })}
          {...(index.state === 'crawling' && index.progress.share !== null
            ? { value: index.progress.share, 'aria-valuetext': formatPercent(index.progress.share, language) }
            : {})}
        />
      )}
      {/* The button is rendered even while it is disabled, because it might have the focus. */}
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={t('mounts.indexNowOf', { name })}
        disabled={isIndexing}
        onClick={onIndex}
      >
        {t('mounts.indexNow')}
      </Button>
      <output className="dl-sr">
        {isIndexing && wasIndexing && t('mounts.index.begun', { name })}
        {!isIndexing && wasIndexing && <IndexText index={index} isIndexing={false} />}
      </output>
    </div>
  )
}

function IndexText({ index, isIndexing }: { index: IndexStatus; isIndexing: boolean }): ReactNode {
  const { t, language } = useT()
  if (isIndexing) {
    const count = index.state === 'crawling' ? index.progress.objects : 0
    return t('mounts.index.running', { count })
  }
  if (index.state === 'failed') {
    const code = index.error ?? 'request.internal'
    return t('mounts.index.failed', {
      reason: errorText(new ApiError({ kind: 'http', code, message: code })),
    })
  }
  if (index.finishedAt === null) return t('mounts.index.waiting')
  return t('mounts.index.done', {
    count: index.objects,
    size: formatBytes(index.bytes, language),
    time: formatRelative(index.finishedAt, language),
  })
}
