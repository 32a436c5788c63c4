import { errorText } from '../../i18n/error-text.ts'
import { useT } from '../../i18n/use-translation.ts'
import { FailedBanner } from '../../ui/feedback/failed-banner.tsx'
import { Banner } from '../../ui/feedback/message.tsx'
import { isOneShort } from './found-items.ts'
import styles from './palette.module.css'

interface PaletteStatusProps {
  text: string
  count: number
  isPending: boolean
  /** Error of a failed search, otherwise `null`. */
  error: unknown
  isVisitor: boolean
  onRetry: () => void
}

/** If the list has more items than this number, further results are below the visible area. */
const ROOM_LINES = 5

/** Shows the state of the search, or why there are no results. */
export function PaletteStatus({ text, count, isPending, error, isVisitor, onRetry }: PaletteStatusProps) {
  const { t } = useT()
  const isTyped = text.trim() !== ''
  const isShort = !isVisitor && isOneShort(text)
  const isEmpty = isTyped && !isPending && count === 0 && error === null
  const hint = isShort ? 'palette.tooShort' : 'palette.nothingHint'
  return (
    <div className={styles.status}>
      {isPending && count <= ROOM_LINES && <Searching />}
      {isEmpty && (
        <div className={styles.nothing}>
          <strong>{t('palette.nothing', { text: text.trim() })}</strong>
          <span>{t(isVisitor ? 'palette.nothingVisitor' : hint)}</span>
        </div>
      )}
      {!isPending && isShort && !isEmpty && <p className={styles.hint}>{t('palette.tooShort')}</p>}
      {!isPending && error !== null && <Failed error={error} onRetry={onRetry} />}
      <output className="dl-sr">
        {isPending ? t('palette.searching') : isTyped && t('palette.found', { count })}
      </output>
    </div>
  )
}

/** Placeholder while results load. */
const Searching = () => (
  <div className={styles.searching} aria-hidden>
    <span />
    <span />
    <span />
  </div>
)

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useT()
  if (!navigator.onLine) return <Banner tone="info">{t('palette.offline')}</Banner>
  return (
    <FailedBanner error={error} text={t('palette.failed', { reason: errorText(error) })} onRetry={onRetry} />
  )
}
