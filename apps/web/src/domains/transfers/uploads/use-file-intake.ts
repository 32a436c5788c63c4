import { useEffect, useEffectEvent, useState } from 'react'

const hasFiles = (transfer: DataTransfer | null) => transfer?.types.includes('Files') === true

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA)$/.test(target.tagName))

const isCovered = () => document.querySelector('dialog:modal') !== null

/**
 * Accepts files that the user drops or pastes anywhere on the page while no dialog is open. Does not affect text that
 * is pasted into a field.
 * @param onPick must read the data in the event handler
 * @param leaves whether another handler receives the drop
 * @returns whether files are being dragged over the page
 */
export function useFileIntake(
  onPick: (data: DataTransfer, isPaste: boolean) => void,
  leaves: (event: DragEvent) => boolean = () => false,
): boolean {
  const [isOver, setOver] = useState(false)
  const pick = useEffectEvent(onPick)
  const isLeft = useEffectEvent(leaves)
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(!isCovered())
    }
    // When the pointer leaves the window, the event has no related target.
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    // Runs in the capture phase, before the handlers of an editor.
    const take = (event: DragEvent | ClipboardEvent, data: DataTransfer, isPaste: boolean) => {
      event.preventDefault()
      event.stopPropagation()
      pick(data, isPaste)
    }
    const onDrop = (event: DragEvent) => {
      setOver(false)
      const data = event.dataTransfer
      if (data && hasFiles(data) && !isCovered() && !isLeft(event)) take(event, data, false)
    }
    const onPaste = (event: ClipboardEvent) => {
      const data = event.clipboardData
      const isForField = isTextField(event.target) && data?.types.includes('text/plain')
      if (data && hasFiles(data) && !isForField && !isCovered()) take(event, data, true)
    }
    const events = { dragover: onDragOver, dragleave: onDragLeave, drop: onDrop, paste: onPaste }
    const listeners = Object.entries(events) as [string, EventListener][]
    for (const [type, listener] of listeners) window.addEventListener(type, listener, true)
    return () => {
      for (const [type, listener] of listeners) window.removeEventListener(type, listener, true)
    }
  }, [])
  return isOver
}
