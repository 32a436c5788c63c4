import { errorText } from '../../i18n/error-text.ts'
import { useT } from '../../i18n/use-translation.ts'
import { FailedBanner } from '../../ui/feedback/failed-banner.tsx'
import { DownloadButton } from './download-button.tsx'
import { PreviewError } from './preview-error.ts'
import type { PreviewSource } from './preview-source.ts'

interface PreviewFailureProps {
  error: unknown
  source: PreviewSource
  onRetry: () => void
}

/** Explains a failed preview and offers alternatives. */
export function PreviewFailure({ error, source, onRetry }: PreviewFailureProps) {
  const { t } = useT()
  const isFault = error instanceof PreviewError
  const text = isFault
    ? t(`viewer.fault.${error.fault}`, { type: source.mimetype || source.name })
    : t('viewer.unread', { reason: errorText(error) })
  return (
    <FailedBanner error={error} text={text} more={<DownloadButton source={source} />} onRetry={onRetry} />
  )
}
