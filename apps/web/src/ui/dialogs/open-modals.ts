import { useSyncExternalStore } from 'react'

/** Dialogs that are open, the last one on top: nothing outside of it can be pressed or is spoken. */
let modals: readonly HTMLDialogElement[] = []
const listeners = new Set<() => void>()

function publish(next: readonly HTMLDialogElement[]) {
  modals = next
  for (const listener of listeners) listener()
}

/** Opens a dialog over all others. @returns what closes it. */
export function openModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal()
  publish([...modals, dialog])
  return () => {
    publish(modals.filter((other) => other !== dialog))
    dialog.close()
  }
}

const topModal = (): HTMLDialogElement | null => modals.at(-1) ?? null

/** The dialog that is on top, if any is open. */
export const useTopModal = (): HTMLDialogElement | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    topModal,
    topModal,
  )
