import { useEffect, useEffectEvent } from 'react'
import { onSessionGone } from './session.ts'

/**
 * Calls `onLeft` after a logout, after the login of another user, or after another tab has ended the session. For pages
 * that stay mounted.
 */
export function useOnLogout(onLeft: () => void): void {
  const tell = useEffectEvent(onLeft)
  useEffect(
    () =>
      onSessionGone(({ isLeft }) => {
        if (isLeft) tell()
      }),
    [],
  )
}
