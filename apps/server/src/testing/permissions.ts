import { type Caller, LETS_IN } from '../http/docs/access-docs.ts'
import type { DeclaredRoute } from '../http/core/access.ts'
import { ADMIN_PASSWORD, type TestAnswer, type TestApp, type TestClient } from './app.ts'
import { basic } from './drive.ts'

export const nameOfRoute = ({ method, url }: DeclaredRoute): string => `${method} ${url}`

export type Verdict = 'in' | 'who?' | 'no'

/** Whether the caller was admitted. A later 404 counts as admitted. */
export function verdictOf(
  { method }: DeclaredRoute,
  { status, text }: Pick<TestAnswer, 'status' | 'text'>,
): Verdict {
  if (status === 401) return 'who?'
  const isRefused =
    status === 403 && (method === 'HEAD' || /permission for this feature|没有权限使用此功能/i.test(text))
  return isRefused ? 'no' : 'in'
}

export function expectedVerdict({ url, access }: DeclaredRoute, caller: Caller): Verdict {
  if (LETS_IN[access].includes(caller)) return 'in'
  // WebDAV routes respond to insufficient permissions with 401, so that the client prompts the user for other
  // credentials.
  return caller === 'nobody' || url.startsWith('/dav') ? 'who?' : 'no'
}

/**
 * Creates clients of each kind. The administrator has two clients: the first uses name and password, the second uses
 * the session of the test.
 */
export async function createCallers(
  t: TestApp,
  keys: Record<string, unknown> = {},
): Promise<Record<Caller, readonly TestClient[]>> {
  return {
    nobody: [t.visitor],
    'no permission': [await t.keyClient(keys)],
    text: [await t.keyClient({ ...keys, text_permission: true })],
    file: [await t.keyClient({ ...keys, file_permission: true })],
    mount: [await t.keyClient({ ...keys, mount_permission: true })],
    administrator: [t.client(basic('admin', ADMIN_PASSWORD)), t.admin],
  }
}
