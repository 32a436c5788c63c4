import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../../lib/i18n/error-text.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { fileQueries } from '../api/files.queries.ts'

/** That the choice of storages is not there, and the way to ask for it again. */
export function StoragesFailed() {
  const { t } = useT()
  const storages = useQuery(fileQueries.storages())
  if (!storages.isError) return null
  return (
    <FailedBanner
      error={storages.error}
      text={t('files.upload.storagesFailed', { reason: errorText(storages.error) })}
      onRetry={() => void storages.refetch()}
    />
  )
}
