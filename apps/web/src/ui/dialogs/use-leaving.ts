import { type BlockerFn, type RouterHistory, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { hasLayer } from './layer-stack.ts'

type Departure = Parameters<BlockerFn>[0]

/** Back, forward, or further: not a link. */
export const isStep = (action: Departure['action']) => action !== 'PUSH' && action !== 'REPLACE'

interface Leaving {
  hasChanges: () => boolean
  /** What is unsaved is given up. */
  onDiscard: () => void
  /** By a button: a link leads on by itself. */
  onLeave: () => void
}

/** Goes where it was led to before it was asked. */
function goOn(history: RouterHistory, { action, currentLocation, nextLocation }: Departure): void {
  const { href, state } = nextLocation
  const options = { ignoreBlocker: true }
  if (action === 'PUSH') history.push(href, state, options)
  else if (action === 'REPLACE') history.replace(href, state, options)
  else history.go(state.__TSR_index - currentLocation.state.__TSR_index, options)
}

/**
 * Asks before what is unsaved is left behind: by `leave`, by any link, and by closing the tab.
 * The page stays where it is while it asks, in the browser's history too: a step back then closes the question.
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
          // What lies over the page is closed by it.
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
    /** What can be answered, while it asks. */
    question: leaving ? { stay, discard } : null,
  }
}
