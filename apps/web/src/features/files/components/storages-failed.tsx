import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../../lib/i18n/error-text.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { Banner } from '../../../ui/message.tsx'
import { fileQueries } from '../api/files.queries.ts'

/** That the choice of storages is not there, and the way to ask for it again. */
export function StoragesFailed() {
  const { t } = useT()
  const storages = useQuery(fileQueries.storages())
  if (!storages.isError) return null
  return (
    <Banner
      tone="error"
      actions={
        <Button size="compact-sm" variant="default" onClick={() => void storages.refetch()}>
          {t('common.retry')}
        </Button>
      }
    >
      {t('files.upload.storagesFailed', { reason: errorText(storages.error) })}
    </Banner>
  )
}
