import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { closeTopLayer, openLayer } from './layer-stack.ts'
import { isStep } from './use-leaving.ts'

/** While the part is shown, a step in the browser's history closes what is on top, and leaves the page below as it is. */
export function useLayer(onClose: () => void): void {
  const { history } = useRouter()
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const takeAway = openLayer(() => close())
    const unblock = history.block({
      blockerFn: ({ action }) => isStep(action) && closeTopLayer(),
      enableBeforeUnload: false,
    })
    return () => {
      unblock()
      takeAway()
    }
  }, [history])
}
