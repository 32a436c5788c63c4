import { useEffect, useEffectEvent, useState } from 'react'
import type { PickedFiles } from '../upload/picked-files.ts'
import { filesOfTransfer } from '../upload/picked-files.ts'

const hasFiles = (transfer: DataTransfer | null) => transfer?.types.includes('Files') === true

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA)$/.test(target.tagName))

/**
 * Files that are dropped or pasted anywhere on the page. Text that is pasted into a field stays there.
 * @returns whether files are being dragged over the page.
 */
export function useFileIntake(onPick: (picked: PickedFiles, isPaste: boolean) => void): boolean {
  const [isOver, setOver] = useState(false)
  const pick = useEffectEvent(onPick)
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(true)
    }
    // Leaving the window has no related target.
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      setOver(false)
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      pick(filesOfTransfer(event.dataTransfer), false)
    }
    const onPaste = (event: ClipboardEvent) => {
      const data = event.clipboardData
      const isForField = isTextField(event.target) && data?.types.includes('text/plain')
      if (!data || !hasFiles(data) || isForField) return
      event.preventDefault()
      pick(filesOfTransfer(data), true)
    }
    window.addEventListener('dragover', onDragOver)
    window.addEventListener('dragleave', onDragLeave)
    window.addEventListener('drop', onDrop)
    window.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('dragover', onDragOver)
      window.removeEventListener('dragleave', onDragLeave)
      window.removeEventListener('drop', onDrop)
      window.removeEventListener('paste', onPaste)
    }
  }, [])
  return isOver
}
