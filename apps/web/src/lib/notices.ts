import { useSyncExternalStore } from 'react'

export type NoticeTone = 'success' | 'info' | 'error'

export interface Notice {
  readonly id: number
  readonly tone: NoticeTone
  readonly text: string
  /** A new notice replaces the previous notice of the same topic, and repeats its text above its own. */
  readonly topic?: string
  /** Button of the notice. The notice closes after the action. */
  readonly action?: NoticeAction
  /** Whether the notice stays until it is closed. Other notices do not replace it. */
  readonly isLasting?: boolean
}

export interface NoticeAction {
  readonly label: string
  readonly run: () => void
}

interface NoticeOptions {
  readonly action?: NoticeAction
  readonly topic?: string
  /** `Infinity` keeps the notice until the user closes it. */
  readonly shownMs?: number
}

/** Topic of notices about the connection. While such a notice is shown, the offline badge is hidden. */
export const LINE_TOPIC = 'line'

const SHOWN_MS: Record<NoticeTone, number> = { success: 3000, info: 6000, error: 8000 }
const MAX_SHOWN = 3
/** How long a notice stays after a hold, if its timeout has passed during the hold. */
const SHOWN_AFTER_HOLD_MS = 2000

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()
let isHeld = false
const overdue = new Set<number>()

function publish(next: readonly Notice[]) {
  notices = next
  for (const listener of listeners) listener()
}

export function dismissNotice(id: number): void {
  publish(notices.filter((notice) => notice.id !== id))
}

function pass(id: number) {
  if (isHeld) overdue.add(id)
  else dismissNotice(id)
}

/**
 * Starts or ends a hold. During a hold, notices stay. Notices whose time passes during a hold are removed soon after
 * the hold.
 */
export function holdNotices(isHeldNow: boolean): void {
  isHeld = isHeldNow
  if (isHeld) return
  for (const id of overdue) setTimeout(() => pass(id), SHOWN_AFTER_HOLD_MS)
  overdue.clear()
}

export function dismissTopic(topic: string): void {
  publish(notices.filter((notice) => notice.topic !== topic))
}

/** Removes all notices except for one topic. */
export function clearNotices(topic: string): void {
  publish(notices.filter((notice) => notice.topic === topic))
}

/** Shows a short message at the edge of the screen. @returns an id for {@link dismissNotice}. */
export function notify(tone: NoticeTone, text: string, options: NoticeOptions = {}): number {
  const { action, topic, shownMs } = options
  lastId += 1
  const before = topic === undefined ? undefined : notices.find((other) => other.topic === topic)
  const lines = [...new Set([...(before?.text.split('\n') ?? []), text])]
  const notice = {
    id: lastId,
    tone,
    text: lines.join('\n'),
    ...(topic !== undefined && { topic }),
    ...(action && { action }),
    ...(shownMs === Infinity && { isLasting: true }),
  }
  const others = notices.filter((other) => other !== before && other.text !== text)
  const passing = new Set(others.filter(({ isLasting }) => !isLasting).slice(1 - MAX_SHOWN))
  publish([...others.filter((other) => other.isLasting || passing.has(other)), notice])
  if (shownMs !== Infinity) setTimeout(() => pass(notice.id), shownMs ?? SHOWN_MS[tone])
  return notice.id
}

export const getNotices = (): readonly Notice[] => notices

export const useNotices = (): readonly Notice[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getNotices,
    getNotices,
  )
