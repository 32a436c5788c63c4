import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorText } from '../../i18n/error-text.ts'
import { useT } from '../../i18n/use-translation.ts'
import { Banner } from './message.tsx'

interface FailedBannerProps {
  error: unknown
  /** What is said of it, where that is more than what any error says of itself. */
  text?: string
  /** What else can be done. */
  more?: ReactNode
  /** `null` where trying again comes to the same. */
  onRetry: (() => void) | null
}

/** Stands where something would be that did not come, with the way to try again. */
export function FailedBanner({ error, text, more, onRetry }: FailedBannerProps) {
  const { t } = useT()
  return (
    <Banner
      tone="error"
      actions={
        <>
          {onRetry && (
            <Button size="compact-sm" variant="default" onClick={onRetry}>
              {t('common.retry')}
            </Button>
          )}
          {more}
        </>
      }
    >
      {text ?? errorText(error)}
    </Banner>
  )
}
