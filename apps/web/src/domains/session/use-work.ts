import { useEffect, useEffectEvent } from 'react'
import { beginWork } from './session.ts'

interface WorkOptions {
  isUnderWay?: () => boolean
  /** Whether the work survives without a new login. */
  stays?: boolean
}

/** Registers unfinished work of the user. When the session expires, the screen stays and the login dialog opens. */
export function useWork({ isUnderWay = () => true, stays = false }: WorkOptions = {}): void {
  const ask = useEffectEvent(isUnderWay)
  useEffect(() => beginWork({ isUnderWay: () => ask(), stays }), [stays])
}
