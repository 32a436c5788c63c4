import { useEffect, useRef } from 'react'
import type { Corner } from '../../models/selection-rectangle.ts'

const LONG_PRESS_MS = 500
const LONG_PRESS_SLACK_PX = 10

/** Calls back when a finger stays in one position for {@link LONG_PRESS_MS}. */
export function useLongPress() {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; at: Corner } | null>(null)
  const end = () => {
    if (press.current) clearTimeout(press.current.timer)
    press.current = null
  }
  const start = (at: Corner, onLongPress: () => void) => {
    end()
    const timer = setTimeout(() => {
      press.current = null
      onLongPress()
    }, LONG_PRESS_MS)
    press.current = { timer, at }
  }
  const move = ({ x, y }: Corner) => {
    const at = press.current?.at
    if (at && Math.hypot(x - at.x, y - at.y) > LONG_PRESS_SLACK_PX) end()
  }
  useEffect(
    () => () => {
      if (press.current) clearTimeout(press.current.timer)
    },
    [],
  )
  return { start, move, end }
}
