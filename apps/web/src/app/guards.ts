import { redirect } from '@tanstack/react-router'
import { revalidateSession } from '../features/auth/api/auth.api.ts'
import { getSession } from '../domains/session/session.ts'

const MAX_WAIT_MS = 2000

/**
 * Before pages for people who are logged in. Visitors pass: the page itself shows the login form. A key without any permission
 * is sent home. A slow server does not hold the navigation up; its answer still counts when it comes.
 */
export async function guardSession(): Promise<void> {
  await Promise.race([revalidateSession(), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
  const session = getSession()
  if (session.kind !== 'apikey') return
  const { text, file, mount } = session.permissions
  if (!text && !file && !mount) redirect({ to: '/', replace: true, throw: true })
}
