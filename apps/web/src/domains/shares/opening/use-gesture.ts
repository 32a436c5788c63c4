import { INTENT_FROM_MS } from '@dropleaf/contract'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { SharePlace } from './device.ts'
import { Gesture, type GestureHandlers } from './gesture-model.ts'
import { askIntent } from './opening.api.ts'

/** Whether the browser reports user activation. True in older browsers, which do not report it. */
const isActive = () => (navigator.userActivation as UserActivation | undefined)?.isActive ?? true

/** Provides the gesture while the page is mounted. */
export function useGesture(place: SharePlace, handlers: GestureHandlers) {
  const [gesture] = useState(
    () => new Gesture({ askIntent: () => askIntent(place), isActive, waitMs: INTENT_FROM_MS }),
  )
  useEffect(() => gesture.handle(handlers))
  useEffect(() => () => gesture.stop(), [gesture])
  const view = useSyncExternalStore(gesture.subscribe, gesture.view)
  return { gesture, view }
}
