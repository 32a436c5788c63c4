import type { IndexStatus, Mount } from '@dropleaf/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../i18n/error-text.ts'
import { notify } from '../../../lib/notices.ts'
import { indexNow, mountQueries } from '../api/mounts.queries.ts'
import { type IndexRequest, isIndexing } from '../models/mount-list.ts'

/**
 * Rebuilds indexes, and returns their state.
 * @param quietMs polling interval while no rebuild runs; `false` disables polling
 */
export function useIndexes(quietMs: number | false = false) {
  const queryClient = useQueryClient()
  const [requests, setRequests] = useState<ReadonlyMap<string, IndexRequest>>(new Map())
  const isRunning = (status: IndexStatus) => isIndexing(status, requests.get(status.configId))
  const indexes = useQuery(mountQueries.indexes((statuses) => statuses.some(isRunning), quietMs))
  const asking = useMutation({
    mutationFn: ({ configId }: IndexRequest) => indexNow(configId),
    onMutate: (request) => setRequests((before) => new Map([...before, [request.configId, request]])),
    onError: (error, { configId }) => {
      setRequests((before) => new Map([...before].filter(([id]) => id !== configId)))
      notify('error', errorText(error))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['mounts', 'indexes'] }),
  })
  const statusOf = (mount: Mount) => indexes.data?.find((one) => one.configId === mount.storage_config_id)
  return {
    query: indexes,
    statusOf,
    isRunning,
    ask: (mount: Mount) => {
      const status = statusOf(mount)
      if (!status) return
      const { configId, startedAt, state } = status
      asking.mutate({ configId, startedAt, wasRunning: state === 'crawling' })
    },
  }
}
