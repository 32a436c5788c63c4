/** What was typed into a file and is not saved, as it outlives the page: the session may end in the middle. */
export interface KeptEdit {
  readonly text: string
  /** Of the file that it was typed into. */
  readonly etag: string
}

/** Where one such text is. Every call may fail: there may be no room, or the browser keeps nothing. */
export interface KeptEditStore {
  readonly put: (edit: KeptEdit) => Promise<void>
  readonly remove: () => Promise<void>
}

/** Whether anything unsaved is kept; `failed`: there is something, and it could not be. */
export type KeptState = 'none' | 'kept' | 'failed'

const SAVE_DELAY_MS = 1000

export interface EditKeeper {
  readonly state: () => KeptState
  /** Keeps a second after the last call; `make` is asked for the value then. */
  readonly keep: (make: () => KeptEdit) => void
  /** Keeps what is waiting at once. */
  readonly flush: () => Promise<KeptState>
  readonly clear: () => void
}

interface KeeperOptions {
  store: KeptEditStore
  /** Whether something is kept from before. */
  isKept: boolean
  onState: (state: KeptState) => void
}

/** Keeps what an editor holds. The latest decides, whichever of the writes before is slow. */
export function createEditKeeper({ store, isKept, onState }: KeeperOptions): EditKeeper {
  let state: KeptState = isKept ? 'kept' : 'none'
  let waiting: (() => KeptEdit) | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Promise<void> = Promise.resolve()
  let writes = 0
  const become = (next: KeptState) => {
    if (next === state) return
    state = next
    onState(next)
  }
  const write = async (work: () => Promise<void>, success: KeptState) => {
    writes += 1
    const mine = writes
    const next = await work().then(
      () => success,
      (): KeptState => (success === 'none' ? 'none' : 'failed'),
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
