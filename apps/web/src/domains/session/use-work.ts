import { useEffect, useEffectEvent } from 'react'
import { beginWork } from './session.ts'

interface WorkOptions {
  isUnderWay?: () => boolean
  /** Whether it is still there for those who do not log in again. */
  stays?: boolean
}

/** Somebody who is logged in works here: when the session ends by itself, the login is asked for and nothing goes. */
export function useWork({ isUnderWay = () => true, stays = false }: WorkOptions = {}): void {
  const ask = useEffectEvent(isUnderWay)
  useEffect(() => beginWork({ isUnderWay: () => ask(), stays }), [stays])
}
