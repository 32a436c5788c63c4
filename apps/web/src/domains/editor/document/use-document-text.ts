import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { TextDocument } from './text-document.ts'

/** Whether there is anything but blanks. */
export const useIsBlank = (document: TextDocument): boolean =>
  useSyncExternalStore(document.subscribe, document.isBlank)

interface Follow {
  readonly delayMs: number
  /** What the follower has: the text may have changed between drawing and following. */
  readonly known: string
  readonly onText: (text: string) => void
}

/** Tells the text a moment after each last change, and at once where it is not what is known. @returns what ends it */
export function followSettled(document: TextDocument, { delayMs, known, onText }: Follow): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = document.subscribe(() => {
    clearTimeout(timer)
    timer = setTimeout(() => onText(document.read()), delayMs)
  })
  const now = document.read()
  if (now !== known) onText(now)
  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}

/** The text a moment after the last change; longer texts are given more time. */
export function useSettledText(document: TextDocument, delayMs: number): string {
  const [text, setText] = useState(document.read)
  const known = useEffectEvent(() => text)
  useEffect(() => followSettled(document, { delayMs, known: known(), onText: setText }), [document, delayMs])
  return text
}
