import { readStored } from '../../lib/browser/storage.ts'

export const CREDENTIAL_KEYS = {
  adminToken: 'admin_token',
  apiKey: 'api_key',
  permissions: 'api_key_permissions',
  info: 'api_key_info',
} as const

/**
 * Returns the `Authorization` header for the stored credential. If there are an admin token and an API key, uses the
 * admin token.
 */
export function storedAuthorization(): string | null {
  const token = readStored(CREDENTIAL_KEYS.adminToken)
  if (token) return `Bearer ${token}`
  const key = readStored(CREDENTIAL_KEYS.apiKey)
  return key ? `ApiKey ${key}` : null
}
