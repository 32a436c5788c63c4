import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

/** Whether the pointer or the focus is inside an element. Touches do not count as a pointer. */
export function useEngaged(target: RefObject<HTMLElement | null>): boolean {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const element = target.current
    if (!element) return undefined
    let isPointedAt = false
    const update = () => setHeld(isPointedAt || element.matches(':focus-within'))
    // Waits for the next task, because `focusout` fires before the focus has moved.
    const later = () => setTimeout(update, 0)
    const onPointer = ({ type, pointerType }: PointerEvent) => {
      isPointedAt = type === 'pointerenter' && pointerType !== 'touch'
      update()
    }
    element.addEventListener('pointerenter', onPointer)
    element.addEventListener('pointerleave', onPointer)
    element.addEventListener('focusin', later)
    element.addEventListener('focusout', later)
    return () => {
      element.removeEventListener('pointerenter', onPointer)
      element.removeEventListener('pointerleave', onPointer)
      element.removeEventListener('focusin', later)
      element.removeEventListener('focusout', later)
    }
  }, [target])
  return isHeld
}
