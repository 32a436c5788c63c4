import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { closeTopLayer, openLayer } from './layer-stack.ts'
import { isStep } from './use-leaving.ts'

/** While the component is mounted, a back step closes the top layer and keeps the page. */
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
