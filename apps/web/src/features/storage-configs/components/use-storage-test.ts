import { useMutation, useQueryClient } from '@tanstack/react-query'
import { storageQueries } from '../../../domains/storages/storage-queries.ts'
import { testFromBrowser } from '../api/browser-test.api.ts'
import { testStorage } from '../api/storage-configs.api.ts'

export type StorageTesting = ReturnType<typeof useStorageTest>

/**
 * State of a storage test. The server tests the storage first, and applies fixes on request. Then the browser tests the
 * storage.
 */
export function useStorageTest() {
  const queryClient = useQueryClient()
  const browser = useMutation({ mutationFn: testFromBrowser })
  const server = useMutation({
    mutationFn: async ({ id, isToFix }: { id: string; isToFix: boolean }) => {
      const before = isToFix ? (await testStorage(id, { isToFix })).doctor.findings : []
      const result = await testStorage(id, { isToFix: false })
      return {
        result,
        mended: before.filter(({ fixed }) => fixed === true),
        isUnmended: before.some(({ fixed }) => fixed === false),
      }
    },
    onSettled: (_result, _error, { id }) => {
      browser.mutate(id)
      return queryClient.invalidateQueries({ queryKey: storageQueries.all().queryKey })
    },
  })
  return {
    server,
    browser,
    /** Tests the last storage again, and applies fixes on request. */
    run: ({ isToFix }: { isToFix: boolean }) => {
      const id = server.variables?.id
      if (id === undefined) return
      browser.reset()
      server.mutate({ id, isToFix })
    },
    begin: (id: string) => {
      browser.reset()
      server.mutate({ id, isToFix: false })
    },
  }
}
