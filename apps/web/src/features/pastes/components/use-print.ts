import { useEffect, useEffectEvent } from 'react'
import { useT } from '../../../lib/i18n/use-translation.ts'

interface PrintedText {
  readonly text: string
  readonly title: string
  readonly isMarkdown: boolean
}

/** Prints a text by the button and by the key of the browser: formulas and diagrams are drawn first, also those not yet seen. */
export function usePrint({ text, title, isMarkdown }: PrintedText) {
  const { language } = useT()
  const print = async () => {
    if (!isMarkdown) return window.print()
    try {
      const { printText } = await import('../../../ui/export-menu/print-text.ts')
      await printText(text, title, language)
    } catch {
      // Without what draws it: as it is shown.
      window.print()
    }
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPrint =
      event.key.toLowerCase() === 'p' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (!isPrint || !isMarkdown) return
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
