import { useEffect, useEffectEvent } from 'react'
import { onSessionGone } from './session.ts'

/** Calls back after a logout or for another user, on pages that stay mounted. */
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
