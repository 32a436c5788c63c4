import { Button } from '@mantine/core'
import { IconClockX, IconEyeOff, IconPlugConnectedX, IconSearchOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../lib/paths.ts'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { PageMessage } from '../../../ui/feedback/message.tsx'

const ICON = { size: 28, 'aria-hidden': true } as const

const ENDS = {
  'file.not_found': { icon: <IconSearchOff {...ICON} />, words: 'notFound' },
  'file.expired': { icon: <IconClockX {...ICON} />, words: 'expired' },
  'file.used_up': { icon: <IconEyeOff {...ICON} />, words: 'usedUp' },
} as const

export const isGone = (error: unknown): error is ApiError =>
  hasCode(error, ...Object.keys(ENDS), 'storage.object_missing')

/** Explains why a share is not available, and what to do next. */
export function FileFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useT()
  const code = error instanceof ApiError ? error.code : ''
  const end = code in ENDS ? ENDS[code as keyof typeof ENDS] : undefined
  const isOffline = error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout')
  const title = end
    ? t(`files.view.gone.${end.words}Title`)
    : isOffline
      ? t('files.view.gone.networkTitle')
      : t('files.view.gone.failedTitle')
  const text = end
    ? t(`files.view.gone.${end.words}Text`)
    : isOffline
      ? t('files.view.gone.networkText')
      : errorText(error)
  usePageTitle(title)
  return (
    <PageMessage icon={end?.icon ?? <IconPlugConnectedX {...ICON} />} title={title} text={text}>
      {end ? (
        <Button variant="default" renderRoot={(props) => <Link to={paths.home} {...props} />}>
          {t('common.goHome')}
        </Button>
      ) : (
        <Button onClick={onRetry}>{t('common.retry')}</Button>
      )}
    </PageMessage>
  )
}
