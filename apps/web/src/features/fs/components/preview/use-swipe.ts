import type { TouchEvent } from 'react'
import { useRef } from 'react'

const DISTANCE_PX = 60
const SLACK_PX = 48

interface Swipe {
  onLeft: (() => void) | null
  onRight: (() => void) | null
  isOff: boolean
}

/** Whether the target or one of its ancestors scrolls horizontally, or is an audio or video player. */
const scrollsSideways = (target: EventTarget) => {
  for (let at = target instanceof Element ? target : null; at; at = at.parentElement) {
    if (at.scrollWidth > at.clientWidth + 1 && getComputedStyle(at).overflowX !== 'visible') return true
    if (at instanceof HTMLMediaElement) return true
  }
  return false
}

/** Handles swipes with one finger. */
export function useSwipe({ onLeft, onRight, isOff }: Swipe) {
  const start = useRef<{ x: number; y: number } | null>(null)
  const onTouchStart = (event: TouchEvent) => {
    const finger = event.touches[0]
    const isOne = event.touches.length === 1 && finger !== undefined
    start.current =
      isOne && !isOff && !scrollsSideways(event.target) ? { x: finger.clientX, y: finger.clientY } : null
  }
  const onTouchEnd = (event: TouchEvent) => {
    const finger = event.changedTouches[0]
    const from = start.current
    start.current = null
    // The swipe is ignored while the page is zoomed, because one finger then scrolls the page.
    if (!from || !finger || (window.visualViewport?.scale ?? 1) > 1.05) return
    const distance = finger.clientX - from.x
    if (Math.abs(finger.clientY - from.y) > SLACK_PX) return
    if (distance < -DISTANCE_PX) onLeft?.()
    if (distance > DISTANCE_PX) onRight?.()
  }
  return { onTouchStart, onTouchEnd }
}
