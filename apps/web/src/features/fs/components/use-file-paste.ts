import { useEffect, useEffectEvent } from 'react'

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA)$/.test(target.tagName))

/**
 * Handles pasted files while no dialog is open. A text field keeps pasted text.
 * @param onFiles must read the data during the event; `null` ignores pasted files
 */
export function useFilePaste(onFiles: ((data: DataTransfer) => void) | null): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const data = event.clipboardData
    if (!onFiles || !data?.types.includes('Files')) return
    const isForField = isTextField(event.target) && data.types.includes('text/plain')
    if (isForField || document.querySelector('dialog:modal') !== null) return
    event.preventDefault()
    onFiles(data)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => take(event)
    window.addEventListener('paste', listen)
    return () => window.removeEventListener('paste', listen)
  }, [])
}
