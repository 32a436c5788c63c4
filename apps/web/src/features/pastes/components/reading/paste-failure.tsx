import { Button } from '@mantine/core'
import { IconClockX, IconEyeOff, IconPlugConnectedX, IconSearchOff, IconWifiOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { hasCode, isOffline } from '../../../../lib/api-error.ts'
import { errorText } from '../../../../i18n/error-text.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../../lib/browser/page-title.ts'
import { PageMessage } from '../../../../ui/feedback/message.tsx'

const ICON = { size: 28, 'aria-hidden': true } as const

/** Explains why a share is not available, and what to do next. */
function useFailureWords(error: unknown) {
  const { t } = useT()
  if (hasCode(error, 'paste.not_found')) {
    return {
      icon: <IconSearchOff {...ICON} />,
      title: t('paste.gone.notFoundTitle'),
      text: t('paste.gone.notFoundText'),
      isFinal: true,
    }
  }
  if (hasCode(error, 'paste.expired')) {
    return {
      icon: <IconClockX {...ICON} />,
      title: t('paste.gone.expiredTitle'),
      text: t('paste.gone.expiredText'),
      isFinal: true,
    }
  }
  if (hasCode(error, 'paste.used_up')) {
    return {
      icon: <IconEyeOff {...ICON} />,
      title: t('paste.gone.usedUpTitle'),
      text: t('paste.gone.usedUpText'),
      isFinal: true,
    }
  }
  if (isOffline(error)) {
    return {
      icon: <IconWifiOff {...ICON} />,
      title: t('paste.gone.failedTitle'),
      text: t('shell.pageOffline.text'),
      isFinal: false,
    }
  }
  return {
    icon: <IconPlugConnectedX {...ICON} />,
    title: t('paste.gone.failedTitle'),
    text: errorText(error),
    isFinal: false,
  }
}

export function PasteFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useT()
  const { isFinal, ...words } = useFailureWords(error)
  usePageTitle(words.title)
  return (
    <PageMessage {...words}>
      {isFinal ? (
        <Button renderRoot={(props) => <Link to="/" {...props} />} variant="default">
          {t('paste.gone.newShare')}
        </Button>
      ) : (
        <Button onClick={onRetry}>{t('common.retry')}</Button>
      )}
    </PageMessage>
  )
}
