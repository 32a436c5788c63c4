import { useEffect, useEffectEvent } from 'react'
import { onSessionGone } from './session.ts'

/** Calls `onLeft` after a logout or the login of another user, for pages that stay mounted. */
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
