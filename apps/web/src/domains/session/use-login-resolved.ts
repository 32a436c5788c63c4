import { useState } from 'react'
import { useSession } from './session.ts'
import { isSessionError } from './session-notices.ts'

/** Whether an error required a login and the user has logged in since the error. */
export function useLoginResolved(error: unknown): boolean {
  const session = useSession()
  const [seen, setSeen] = useState({ error, session })
  if (seen.error !== error) setSeen({ error, session })
  return isSessionError(error) && session.kind !== 'none' && seen.session !== session
}
