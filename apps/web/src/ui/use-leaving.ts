import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'

interface Leaving {
  hasChanges: () => boolean
  /** What is unsaved is given up. */
  onDiscard: () => void
  /** By a button: a link leads on by itself. */
  onLeave: () => void
}

/** Asks before what is unsaved is left behind: by `leave`, by any link, and by closing the tab. */
export function useLeaving({ hasChanges, onDiscard, onLeave }: Leaving) {
  const [isAsking, setAsking] = useState(false)
  const blocker = useBlocker({
    shouldBlockFn: hasChanges,
    enableBeforeUnload: hasChanges,
    withResolver: true,
  })
  const isBlocked = blocker.status === 'blocked'
  const stay = () => {
    setAsking(false)
    blocker.reset?.()
  }
  const discard = () => {
    setAsking(false)
    onDiscard()
    if (isBlocked) blocker.proceed()
    else onLeave()
  }
  return {
    leave: () => (hasChanges() ? setAsking(true) : onLeave()),
    /** What can be answered, while it asks. */
    question: isAsking || isBlocked ? { stay, discard } : null,
  }
}
