import { useSyncExternalStore } from 'react'

/** Open dialogs; the last dialog is on top. Everything outside the top dialog is inert. */
let modals: readonly HTMLDialogElement[] = []
const listeners = new Set<() => void>()

function publish(next: readonly HTMLDialogElement[]) {
  modals = next
  for (const listener of listeners) listener()
}

/** Opens a dialog over all others. @returns a function that closes it. */
export function openModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal()
  publish([...modals, dialog])
  return () => {
    publish(modals.filter((other) => other !== dialog))
    dialog.close()
  }
}

const topModal = (): HTMLDialogElement | null => modals.at(-1) ?? null

/** Returns the top dialog, if any. */
export const useTopModal = (): HTMLDialogElement | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    topModal,
    topModal,
  )
