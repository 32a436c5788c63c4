import { holdSave } from '../../../lib/pending-saves.ts'
import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'

const SAVE_DELAY_MS = 1000

/** A value that survives closing the page, until it is cleared. */
export interface Draft<T> {
  readonly read: () => T | null
  /** Saves the value one second after the last call. `make` is called at that time; `null` removes the draft. */
  readonly save: (make: () => T | null) => void
  /** Saves a pending value at once. */
  readonly flush: () => void
  readonly clear: () => void
}

interface DraftOptions<T> {
  /** Storage key. It can change while the page is open; each save uses the current key. */
  key: () => string
  /** Rejects values of another shape, for example from older versions. */
  isValid: (value: unknown) => value is T
  /** Reports whether the storage had enough space for the last save. */
  onSaved?: (hasRoom: boolean) => void
}

export function createDraft<T>({ key, isValid, onSaved }: DraftOptions<T>): Draft<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting: { readonly make: () => T | null; readonly key: string } | null = null
  let release: (() => void) | null = null
  const settle = () => {
    clearTimeout(timer)
    waiting = null
    release?.()
    release = null
  }
  const flush = () => {
    if (!waiting) return
    const { make, key: place } = waiting
    const value = make()
    settle()
    const hasRoom = writeStored(place, value === null ? null : JSON.stringify(value))
    onSaved?.(hasRoom)
  }
  return {
    read: () => {
      const value = readStoredJson(key())
      return isValid(value) ? value : null
    },
    save: (make) => {
      waiting = { make, key: key() }
      release ??= holdSave(flush)
      clearTimeout(timer)
      timer = setTimeout(flush, SAVE_DELAY_MS)
    },
    flush,
    clear: () => {
      settle()
      writeStored(key(), null)
    },
  }
}
