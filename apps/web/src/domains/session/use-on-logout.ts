import { useEffect, useEffectEvent } from 'react'
import { onSessionGone } from './session.ts'

/** What was shown to who has logged out, or was here before somebody else, goes from a page that stays. */
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
