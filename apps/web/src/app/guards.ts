import { redirect } from '@tanstack/react-router'
import { revalidateSession } from '../features/auth/api/auth.api.ts'
import { getSession } from '../domains/session/session.ts'

const MAX_WAIT_MS = 2000

/**
 * Guard of pages for logged-in users. Lets visitors pass, because the page shows them the login form. Redirects an API
 * key without permissions to the home page. Waits for the server for at most `MAX_WAIT_MS`. A later response still
 * updates the session.
 */
export async function guardSession(): Promise<void> {
  await Promise.race([revalidateSession(), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
  const session = getSession()
  if (session.kind !== 'apikey') return
  const { text, file, mount } = session.permissions
  if (!text && !file && !mount) redirect({ to: '/', replace: true, throw: true })
}
