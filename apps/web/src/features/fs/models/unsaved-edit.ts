/** Unsaved changes to a file, which outlive the page and the session. */
export interface UnsavedEdit {
  readonly text: string
  /** ETag of the edited version. */
  readonly etag: string
}

/** Stores the unsaved text of one file. Every call can fail, because the browser's storage can be full or blocked. */
export interface UnsavedEditStore {
  readonly put: (edit: UnsavedEdit) => Promise<void>
  readonly remove: () => Promise<void>
}

/** Whether unsaved changes are stored; `failed` means that storing them failed. */
export type SavedState = 'none' | 'kept' | 'failed'

const SAVE_DELAY_MS = 1000

export interface EditSaver {
  readonly state: () => SavedState
  /** Stores the result of `make` one second after the last call. */
  readonly keep: (make: () => UnsavedEdit) => void
  /** Stores a pending value at once. */
  readonly flush: () => Promise<SavedState>
  readonly clear: () => void
}

interface EditSaverOptions {
  store: UnsavedEditStore
  /** Whether unsaved changes are already stored. */
  isStored: boolean
  onState: (state: SavedState) => void
}

/** Stores the changes of an editor. The last write determines the state, even if an earlier write finishes later. */
export function createEditSaver({ store, isStored, onState }: EditSaverOptions): EditSaver {
  let state: SavedState = isStored ? 'kept' : 'none'
  let waiting: (() => UnsavedEdit) | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Promise<void> = Promise.resolve()
  let writes = 0
  const become = (next: SavedState) => {
    if (next === state) return
    state = next
    onState(next)
  }
  const write = async (work: () => Promise<void>, success: SavedState) => {
    writes += 1
    const mine = writes
    const next = await work().then(
      () => success,
      (): SavedState => (success === 'none' ? 'none' : 'failed'),
    )
    if (mine === writes) become(next)
  }
  const flush = async () => {
    clearTimeout(timer)
    if (waiting) {
      const value = waiting()
      waiting = null
      last = write(() => store.put(value), 'kept')
    }
    await last
    return state
  }
  return {
    state: () => state,
    keep: (make) => {
      waiting = make
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), SAVE_DELAY_MS)
    },
    flush,
    clear: () => {
      clearTimeout(timer)
      waiting = null
      become('none')
      last = write(store.remove, 'none')
    },
  }
}
