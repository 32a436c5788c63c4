import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorText } from '../../i18n/error-text.ts'
import { useT } from '../../i18n/use-translation.ts'
import { Banner } from './message.tsx'

interface FailedBannerProps {
  error: unknown
  /** Replaces the default text of the error. */
  text?: string
  /** Actions after the retry button. */
  more?: ReactNode
  /** `null` if a retry would have the same result. */
  onRetry: (() => void) | null
}

/** Replaces content that could not be loaded. Has a retry button unless `onRetry` is `null`. */
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
