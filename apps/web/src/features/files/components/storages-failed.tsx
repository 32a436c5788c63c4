import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isOffline } from '../../../lib/api-error.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { fileQueries } from '../api/files.queries.ts'

/** Whether the page already reports the error, in the offline badge or in {@link StoragesFailed}. */
export function useIsReported(error: unknown): boolean {
  const storages = useQuery(fileQueries.storages())
  if (error === null) return false
  return isOffline(error) || (storages.isError && errorText(storages.error) === errorText(error))
}

/** Reports that the storages could not be loaded. Offers to load them again, and the newest uploads if these failed. */
export function StoragesFailed() {
  const { t } = useT()
  const queryClient = useQueryClient()
  const storages = useQuery(fileQueries.storages())
  if (!storages.isError || isOffline(storages.error)) return null
  const retry = () => {
    void storages.refetch()
    const { queryKey } = fileQueries.recent()
    void queryClient.refetchQueries({ queryKey, predicate: ({ state }) => state.status === 'error' })
  }
  return (
    <FailedBanner
      error={storages.error}
      text={t('files.upload.storagesFailed', { reason: errorText(storages.error) })}
      onRetry={retry}
    />
  )
}
