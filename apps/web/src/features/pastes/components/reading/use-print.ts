import { useEffect, useEffectEvent } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { keyMap } from '../../../../lib/keyboard/key-map.ts'
import { isKey } from '../../../../lib/keyboard/keys.ts'

interface PrintedText {
  readonly text: string
  readonly title: string
  readonly isMarkdown: boolean
}

/** Prints a text, by button or the browser's shortcut, after rendering all formulas and diagrams. */
export function usePrint({ text, title, isMarkdown }: PrintedText) {
  const { language } = useT()
  const print = async () => {
    if (!isMarkdown) return window.print()
    try {
      const { printText } = await import('../../../../domains/markdown/export/print-text.ts')
      await printText(text, title, language)
    } catch {
      // If rendering fails, prints the page as it is.
      window.print()
    }
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isMarkdown || !isKey(event, keyMap.reading.print)) return
    event.preventDefault()
    void print()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return print
}
