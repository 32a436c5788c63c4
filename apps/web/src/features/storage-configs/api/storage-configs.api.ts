import {
  fileRoutes,
  mountRoutes,
  storageConfigRoutes,
  storageTestRoutes,
  type StorageTestResult,
} from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import type { StorageFields } from '../models/storage-form.ts'

/** Timeout of a test. It is long, because the server waits for an unresponsive storage at each step. */
const TEST_TIMEOUT_MS = 180_000
const NAMES_SHOWN = 5

export const createStorage = (fields: StorageFields) => api(storageConfigRoutes.create, { body: fields })

/** A blank key leaves the stored key unchanged. */
export const updateStorage = (id: string, fields: Partial<StorageFields>) =>
  api(storageConfigRoutes.update, { params: { id }, body: { ...fields, limit_is_meant: true } })

export const deleteStorage = (id: string) => api(storageConfigRoutes.remove, { params: { id } })

export const makeDefault = (id: string) => api(storageConfigRoutes.setDefault, { params: { id } })

export async function testStorage(id: string, { isToFix }: { isToFix: boolean }): Promise<StorageTestResult> {
  const { data } = await api(storageTestRoutes.test, {
    params: { id },
    body: { fix: isToFix },
    timeoutMs: TEST_TIMEOUT_MS,
  })
  return data.result
}

/** Mounts and files that use a storage. Only the first few of them are named. */
export interface StorageUse {
  readonly mounts: readonly string[]
  readonly mountCount: number
  readonly files: readonly string[]
  readonly fileCount: number
}

export const storageUseQuery = (id: string) =>
  queryOptions({
    queryKey: ['storage-use', id],
    meta: { isPrivate: true },
    gcTime: 0,
    queryFn: async ({ signal }): Promise<StorageUse> => {
      const [mounts, files] = await Promise.all([
        api(mountRoutes.adminList, { signal }),
        api(fileRoutes.adminList, {
          query: {
            s3_config_id: id,
            limit: NAMES_SHOWN,
            offset: 0,
            search: null,
            state: null,
            protected: null,
            sort: null,
            order: null,
            created_by: null,
          },
          signal,
        }),
      ])
      const paths = mounts.data.filter((mount) => mount.storage_config_id === id)
      return {
        mounts: paths.slice(0, NAMES_SHOWN).map(({ name, mount_path }) => `${name} (${mount_path})`),
        mountCount: paths.length,
        files: files.data.files.map(({ filename, slug }) => `${filename} (/${slug})`),
        fileCount: files.data.pagination.total,
      }
    },
  })
