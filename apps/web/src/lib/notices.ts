import { useSyncExternalStore } from 'react'

export type NoticeTone = 'success' | 'info' | 'error'

export interface Notice {
  readonly id: number
  readonly tone: NoticeTone
  readonly text: string
  /** Something to do about it. The notice goes when it is done. */
  readonly action?: NoticeAction
}

export interface NoticeAction {
  readonly label: string
  readonly run: () => void
}

interface NoticeOptions {
  readonly action?: NoticeAction
  readonly shownMs?: number
}

const SHOWN_MS: Record<NoticeTone, number> = { success: 3000, info: 6000, error: 8000 }
const MAX_SHOWN = 3

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function publish(next: readonly Notice[]) {
  notices = next
  for (const listener of listeners) listener()
}

export function dismissNotice(id: number): void {
  publish(notices.filter((notice) => notice.id !== id))
}

/**
 * Says something short at the edge of the screen: for what has no place of its own on the page.
 * @returns what {@link dismissNotice} takes.
 */
export function notify(tone: NoticeTone, text: string, { action, shownMs }: NoticeOptions = {}): number {
  lastId += 1
  const notice = { id: lastId, tone, text, ...(action && { action }) }
  publish([...notices.filter((other) => other.text !== text), notice].slice(-MAX_SHOWN))
  setTimeout(() => dismissNotice(notice.id), shownMs ?? SHOWN_MS[tone])
  return notice.id
}

export const useNotices = (): readonly Notice[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
    () => notices,
  )
