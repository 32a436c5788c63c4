import { useEffect, useState, useSyncExternalStore } from 'react'
import type { TextDocument } from './text-document.ts'

/** Whether there is anything but blanks. */
export const useIsBlank = (document: TextDocument): boolean =>
  useSyncExternalStore(document.subscribe, document.isBlank)

/** The text a moment after the last change; longer texts are given more time. */
export function useSettledText(document: TextDocument, delayMs: number): string {
  const [text, setText] = useState(document.read)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = document.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(() => setText(document.read()), delayMs)
    })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [document, delayMs])
  return text
}
