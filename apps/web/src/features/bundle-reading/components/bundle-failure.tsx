import { Button } from '@mantine/core'
import { IconClockX, IconEyeOff, IconPlugConnectedX, IconSearchOff, IconWifiOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { type ApiError, hasCode, isOffline } from '../../../lib/api-error.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { paths } from '../../../lib/paths.ts'
import { PageMessage } from '../../../ui/feedback/message.tsx'

const ICON = { size: 28, 'aria-hidden': true } as const

const ENDS = {
  'bundle.not_found': { icon: <IconSearchOff {...ICON} />, words: 'notFound' },
  'bundle.expired': { icon: <IconClockX {...ICON} />, words: 'expired' },
  'bundle.used_up': { icon: <IconEyeOff {...ICON} />, words: 'usedUp' },
} as const

export const isGone = (error: unknown): error is ApiError => hasCode(error, ...Object.keys(ENDS))

/** Explains why a bundle is not available, and what to do next. */
export function BundleFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useT()
  const end = isGone(error) ? ENDS[error.code as keyof typeof ENDS] : undefined
  const isAway = isOffline(error)
  const title = end ? t(`bundle.gone.${end.words}Title`) : t('bundle.gone.failedTitle')
  const text = end
    ? t(`bundle.gone.${end.words}Text`)
    : isAway
      ? t('shell.pageOffline.text')
      : errorText(error)
  const icon = end?.icon ?? (isAway ? <IconWifiOff {...ICON} /> : <IconPlugConnectedX {...ICON} />)
  usePageTitle(title)
  return (
    <PageMessage icon={icon} title={title} text={text}>
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
