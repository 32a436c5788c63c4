import { Button } from '@mantine/core'
import { errorText } from '../lib/i18n/error-text.ts'
import { useT } from '../lib/i18n/use-translation.ts'
import { Banner } from './message.tsx'

/** Stands where the data would be that did not come. */
export function FailedBanner({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useT()
  return (
    <Banner
      tone="error"
      actions={
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      }
    >
      {errorText(error)}
    </Banner>
  )
}
