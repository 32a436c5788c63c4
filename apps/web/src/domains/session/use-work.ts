import { useEffect, useEffectEvent } from 'react'
import { beginWork } from './session.ts'

interface WorkOptions {
  isUnderWay?: () => boolean
  /** Whether the work survives without a new login. */
  stays?: boolean
}

/** Registers work of a user: when the session expires, the login dialog opens and the screen stays. */
export function useWork({ isUnderWay = () => true, stays = false }: WorkOptions = {}): void {
  const ask = useEffectEvent(isUnderWay)
  useEffect(() => beginWork({ isUnderWay: () => ask(), stays }), [stays])
}
