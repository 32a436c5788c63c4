import { randomId } from '../random-id.ts'

/** Identifies the tabs of this browser, and finds out which ones are open. */
export interface Tab {
  /** Stays the same after a reload. */
  readonly id: () => string
  /** The other tabs that respond. A frozen or busy one may not. */
  readonly findOthers: () => Promise<ReadonlySet<string>>
}

interface Message {
  readonly type: 'who' | 'here'
  readonly tab: string
  readonly page: string
  /** The page that has asked. */
  readonly to?: string
}

/** The browser APIs of a tab. */
interface TabParts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | null
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'> | null
  readonly answerMs?: number
}

const KEY = 'dropleaf.tab'
/** Tabs respond within a few milliseconds, also in the background. */
const ANSWER_MS = 250

/** A new page of a tab. A duplicated tab has the same id until the original one responds. */
export function createTab({ storage, channel, answerMs = ANSWER_MS }: TabParts): Tab {
  const page = randomId()
  const others = new Set<string>()
  const become = (next: string) => {
    storage?.setItem(KEY, next)
    return next
  }
  let id = storage?.getItem(KEY) ?? become(randomId())
  const tell = (message: Omit<Message, 'page' | 'tab'>) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
    channel?.postMessage({ ...message, page, tab: id })
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.type === 'who') tell({ type: 'here', to: data.page })
    else if (data.to === page) {
      others.add(data.tab)
      if (data.tab === id) id = become(randomId())
    }
  })
  tell({ type: 'who' })
  return {
    id: () => id,
    findOthers: async () => {
      others.clear()
      tell({ type: 'who' })
      await new Promise((resolve) => setTimeout(resolve, answerMs))
      return others
    },
  }
}

function sessionOrNone(): Storage | null {
  try {
    return sessionStorage
  } catch {
    // Storage is blocked, so this page has a separate id.
    return null
  }
}

let tab: Tab | null = null

/** The tab of this page. Responds to others after the first call. */
export function thisTab(): Tab {
  tab ??= createTab({
    storage: sessionOrNone(),
    channel: 'BroadcastChannel' in globalThis ? new BroadcastChannel(KEY) : null,
  })
  return tab
}
