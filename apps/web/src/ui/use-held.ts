import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

/** Whether the pointer or the focus is inside: somebody is busy with it. */
export function useHeld(target: RefObject<HTMLElement | null>): boolean {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const element = target.current
    if (!element) return undefined
    const update = () => setHeld(element.matches(':hover, :focus-within'))
    const events = ['pointerenter', 'pointerleave', 'focusin', 'focusout'] as const
    // `focusout` comes before the focus has moved on.
    const later = () => setTimeout(update, 0)
    for (const event of events) element.addEventListener(event, later)
    return () => {
      for (const event of events) element.removeEventListener(event, later)
    }
  }, [target])
  return isHeld
}
