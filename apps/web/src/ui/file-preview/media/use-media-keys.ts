import { type RefObject, useEffect, useEffectEvent } from 'react'

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

const ACTS: Readonly<Record<string, Act>> = {
  ' ': toggle,
  k: toggle,
  j: seek(-STEP_SECONDS),
  l: seek(STEP_SECONDS),
  ArrowUp: turn(STEP_VOLUME),
  ArrowDown: turn(-STEP_VOLUME),
  f: fill,
}
const SIDES: Readonly<Record<string, Act>> = {
  ArrowLeft: seek(-STEP_SECONDS),
  ArrowRight: seek(STEP_SECONDS),
}

interface MediaKeys {
  /** Wherever they lead otherwise, the keys to the side belong to the recording while it has the focus. */
  hasSides: boolean
}

/** Plays, seeks and turns the volume by keys, wherever the focus is on the page. */
export function useMediaKeys(media: RefObject<HTMLMediaElement | null>, { hasSides }: MediaKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const element = media.current
    if (!element || event.defaultPrevented || isElsewhere(event.target)) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const act = ACTS[key] ?? (hasSides || event.target === element ? SIDES[key] : undefined)
    if (!act) return
    event.preventDefault()
    act(element)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    // Before the browser's own keys for its controls, which do the same by other steps.
    document.addEventListener('keydown', listener, true)
    return () => document.removeEventListener('keydown', listener, true)
  }, [])
}
