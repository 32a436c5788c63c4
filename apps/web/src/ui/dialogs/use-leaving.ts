import { type BlockerFn, type RouterHistory, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { hasLayer } from './layer-stack.ts'

type Departure = Parameters<BlockerFn>[0]

/** Whether a navigation is a step in the history rather than a link. */
export const isStep = (action: Departure['action']) => action !== 'PUSH' && action !== 'REPLACE'

interface Leaving {
  hasChanges: () => boolean
  onDiscard: () => void
  /** Leaves the page after a button was pressed. A link continues to its target by itself. */
  onLeave: () => void
}

/** Continues a blocked navigation. */
function goOn(history: RouterHistory, { action, currentLocation, nextLocation }: Departure): void {
  const { href, state } = nextLocation
  const options = { ignoreBlocker: true }
  if (action === 'PUSH') history.push(href, state, options)
  else if (action === 'REPLACE') history.replace(href, state, options)
  else history.go(state.__TSR_index - currentLocation.state.__TSR_index, options)
}

/**
 * Asks the user for confirmation before unsaved changes are lost by `leave`, by a link, by a back step, or by closing
 * the tab. The page and its history entry stay during the question, so a back step then only closes the question.
 */
export function useLeaving({ hasChanges, onDiscard, onLeave }: Leaving) {
  const { history } = useRouter()
  const [leaving, setLeaving] = useState<'by button' | Departure | null>(null)
  const isHeld = useEffectEvent(hasChanges)
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: () => isHeld(),
        blockerFn: (args) => {
          // If a layer is open, a back step only closes the layer.
          if (isStep(args.action) && hasLayer()) return false
          if (!isHeld()) return false
          setLeaving(args)
          return true
        },
      }),
    [history],
  )
  const stay = () => setLeaving(null)
  const discard = () => {
    setLeaving(null)
    onDiscard()
    if (leaving === 'by button') onLeave()
    else if (leaving) goOn(history, leaving)
  }
  return {
    leave: () => (hasChanges() ? setLeaving('by button') : onLeave()),
    /** The possible answers while the question is open, otherwise `null`. */
    question: leaving ? { stay, discard } : null,
  }
}
