import { useEffect, useEffectEvent, useState } from 'react'

interface CountdownOptions {
  from: number
  isPaused: boolean
  onEnd: () => void
}

/** Remaining seconds of a countdown that can be paused. */
export function useCountdown({ from, isPaused, onEnd }: CountdownOptions): number {
  const [seconds, setSeconds] = useState(from)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (isPaused) return undefined
    const timer = setTimeout(() => {
      if (seconds <= 1) end()
      else setSeconds(seconds - 1)
    }, 1000)
    return () => clearTimeout(timer)
  }, [seconds, isPaused])
  return seconds
}
