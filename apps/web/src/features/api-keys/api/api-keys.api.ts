import { apiKeyRoutes, type ReplyOf } from '@dropleaf/contract'
import { api } from '../../../domains/api/api-client.ts'

export type ApiKey = ReplyOf<typeof apiKeyRoutes.list>['data'][number]

/** The rights of a key, which can be changed later. */
export interface KeyRights {
  readonly name: string
  readonly text_permission: boolean
  readonly file_permission: boolean
  readonly mount_permission: boolean
  readonly mount_read_only: boolean
  readonly basic_path: string
  /** ISO timestamp, or `never`. If absent, the expiry does not change. */
  readonly expires_at?: string
}

/**
 * @param customKey if blank, the server generates a key
 * @returns the complete key
 */
export async function createKey(rights: KeyRights, customKey: string): Promise<string> {
  const { data } = await api(apiKeyRoutes.create, {
    body: { ...rights, ...(customKey !== '' && { custom_key: customKey }) },
  })
  return data.key
}

export const updateKey = (id: string, rights: KeyRights) =>
  api(apiKeyRoutes.update, { params: { id }, body: rights })

/**
 * Deletes the keys, and continues after a failure.
 * @returns the keys that could not be deleted, with the errors
 */
export async function deleteKeys(keys: readonly ApiKey[]): Promise<{ key: ApiKey; error: unknown }[]> {
  const failed: { key: ApiKey; error: unknown }[] = []
  for (const key of keys) {
    try {
      await api(apiKeyRoutes.remove, { params: { id: key.id } })
    } catch (error) {
      failed.push({ key, error })
    }
  }
  return failed
}
