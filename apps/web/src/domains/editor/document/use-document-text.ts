import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { TextDocument } from './text-document.ts'

export const useIsBlank = (document: TextDocument): boolean =>
  useSyncExternalStore(document.subscribe, document.isBlank)

interface Follow {
  readonly delayMs: number
  /**
   * Text that the caller already has. Can differ from the document, which can change between rendering and
   * subscribing.
   */
  readonly known: string
  readonly onText: (text: string) => void
}

/**
 * Reports the text `delayMs` after the last change. If the text already differs from `known`, reports it at once.
 * @returns a function that stops the reports
 */
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

/** Returns the text as it was `delayMs` after its last change. */
export function useSettledText(document: TextDocument, delayMs: number): string {
  const [text, setText] = useState(document.read)
  const known = useEffectEvent(() => text)
  useEffect(() => followSettled(document, { delayMs, known: known(), onText: setText }), [document, delayMs])
  return text
}
