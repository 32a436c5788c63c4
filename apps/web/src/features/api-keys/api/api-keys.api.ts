import { apiKeyRoutes, type ReplyOf } from '@dropleaf/contract'
import { api } from '../../../domains/api/api-client.ts'

export type ApiKey = ReplyOf<typeof apiKeyRoutes.list>['data'][number]

/** What may be given to a key and changed later. */
export interface KeyRights {
  readonly name: string
  readonly text_permission: boolean
  readonly file_permission: boolean
  readonly mount_permission: boolean
  readonly mount_read_only: boolean
  readonly basic_path: string
  /** ISO text or `never`; absent keeps what it was. */
  readonly expires_at?: string
}

/** @param customKey blank: the server makes one up. @returns the key in full. */
export async function createKey(rights: KeyRights, customKey: string): Promise<string> {
  const { data } = await api(apiKeyRoutes.create, {
    body: { ...rights, ...(customKey !== '' && { custom_key: customKey }) },
  })
  return data.key
}

export const updateKey = (id: string, rights: KeyRights) =>
  api(apiKeyRoutes.update, { params: { id }, body: rights })

/** Goes through all of them, whatever fails. @returns those that are still there, with the reason. */
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
