import { type RefObject, useEffect, useEffectEvent } from 'react'
import { keyMap } from '../../../lib/keyboard/key-map.ts'
import { isKey } from '../../../lib/keyboard/keys.ts'

const STEP_SECONDS = 10
const STEP_VOLUME = 0.1

const isElsewhere = (target: EventTarget | null) =>
  document.querySelector('dialog[open], [role="menu"]') !== null ||
  (target instanceof Element &&
    target.closest('input, textarea, select, button, a[href], [contenteditable="true"]') !== null)

type Act = (media: HTMLMediaElement) => void

const seek =
  (seconds: number): Act =>
  (media) => {
    media.currentTime = Math.max(0, media.currentTime + seconds)
  }
const turn =
  (step: number): Act =>
  (media) => {
    media.volume = Math.min(1, Math.max(0, media.volume + step))
  }
const toggle: Act = (media) => {
  if (media.paused) media.play().catch(() => undefined)
  else media.pause()
}
const fill: Act = (media) => {
  const change = document.fullscreenElement ? document.exitFullscreen() : media.requestFullscreen()
  change.catch(() => undefined)
}

const ACTS: readonly (readonly [keys: readonly string[], act: Act])[] = [
  [keyMap.media.play, toggle],
  [keyMap.media.back, seek(-STEP_SECONDS)],
  [keyMap.media.forward, seek(STEP_SECONDS)],
  [keyMap.media.louder, turn(STEP_VOLUME)],
  [keyMap.media.quieter, turn(-STEP_VOLUME)],
  [keyMap.media.full, fill],
]
const SIDES: typeof ACTS = [
  [['ArrowLeft'], seek(-STEP_SECONDS)],
  [['ArrowRight'], seek(STEP_SECONDS)],
]

const findAct = (event: KeyboardEvent, acts: typeof ACTS) => acts.find(([keys]) => isKey(event, keys))?.[1]

interface MediaKeys {
  /**
   * Whether the left and right arrow keys seek wherever the focus is. If not, they seek only while the recording has
   * the focus, because the page uses these keys for another function.
   */
  hasSides: boolean
}

/** Handles keys for playback, seeking, volume and full screen anywhere on the page. */
export function useMediaKeys(media: RefObject<HTMLMediaElement | null>, { hasSides }: MediaKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const element = media.current
    if (!element || event.defaultPrevented || isElsewhere(event.target)) return
    const isAtMedia = hasSides || event.target === element
    const act = findAct(event, ACTS) ?? (isAtMedia ? findAct(event, SIDES) : undefined)
    if (!act) return
    event.preventDefault()
    act(element)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    // Uses the capture phase to run before the key handlers of the browser, which seek in different steps.
    document.addEventListener('keydown', listener, true)
    return () => document.removeEventListener('keydown', listener, true)
  }, [])
}
