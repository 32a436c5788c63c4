import { randomId } from '../random-id.ts'

/** Identifies the tabs of this browser, and finds out which tabs are open. */
export interface Tab {
  /** Id of the tab, which stays the same after a reload. */
  readonly id: () => string
  /** Returns the ids of the other tabs that respond. A frozen or busy tab might not respond. */
  readonly findOthers: () => Promise<ReadonlySet<string>>
}

interface Message {
  readonly type: 'who' | 'here'
  readonly tab: string
  readonly page: string
  /** Id of the page that has sent the question. */
  readonly to?: string
}

/** The browser APIs of a tab. */
interface TabParts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | null
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'> | null
  readonly answerMs?: number
}

const KEY = 'dropleaf.tab'
/** How long to wait for responses. Tabs respond within a few milliseconds, even in the background. */
const ANSWER_MS = 250

/** Creates the tab of a new page. A duplicated tab has the same id until the original tab responds. */
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

/** Returns the tab of this page. After the first call, the tab responds to other tabs. */
export function thisTab(): Tab {
  tab ??= createTab({
    storage: sessionOrNone(),
    channel: 'BroadcastChannel' in globalThis ? new BroadcastChannel(KEY) : null,
  })
  return tab
}
