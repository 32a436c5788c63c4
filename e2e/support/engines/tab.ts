import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Operations that all browsers support. XPath selects elements, because the protocols of all browsers support XPath.
 */
export interface Tab {
  readonly goto: (url: string) => Promise<void>
  /** Runs a function in the page. The arguments and the result of the function are JSON. */
  readonly evaluate: <Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ) => Promise<Result>
  /** Waits for the element, then clicks it as a user does. */
  readonly click: (xpath: string) => Promise<void>
  readonly type: (xpath: string, text: string) => Promise<void>
  /** Chooses files in a file field. */
  readonly choose: (xpath: string, paths: readonly string[]) => Promise<void>
}

/** The browser of a new user, without any data. */
export interface Profile {
  /** Folder that receives the downloads. */
  readonly downloads: string
  readonly openTab: () => Promise<Tab>
  readonly close: () => Promise<void>
}

export interface Engine {
  /** Name and version of the browser. */
  readonly name: string
  readonly openProfile: () => Promise<Profile>
  readonly close: () => Promise<void>
}

const POLL_MS = 100
/** Timeout that only a hanging test exceeds, even on a busy machine. */
const PATIENCE_MS = 120_000

/** Waits until a function returns a value other than `null`. */
export async function waitFor<Found>(
  what: string,
  look: () => Promise<Found | null>,
  patienceMs = PATIENCE_MS,
): Promise<Found> {
  const deadlineMs = Date.now() + patienceMs
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (Date.now() > deadlineMs) throw new Error(`There is no ${what}.`)
    await sleep(POLL_MS)
  }
}

/** Waits for an element. @returns its text */
export const textOf = (tab: Tab, xpath: string, patienceMs?: number): Promise<string> =>
  waitFor(
    xpath,
    () =>
      tab.evaluate((path) => {
        const { singleNodeValue: found } = document.evaluate(
          path,
          document,
          null,
          XPathResult.FIRST_ORDERED_NODE_TYPE,
        )
        return found && (found.textContent ?? '')
      }, xpath),
    patienceMs,
  )

/** Waits for a complete download. @returns its path */
export const downloadOf = (
  { downloads }: Profile,
  { name, sizeBytes }: { readonly name: string; readonly sizeBytes: number },
  patienceMs?: number,
): Promise<string> =>
  waitFor(
    `${name} with ${sizeBytes} bytes among the downloads`,
    async () => {
      const path = join(downloads, name)
      const { size } = await stat(path).catch(() => ({ size: -1 }))
      // Browsers write to another file in the same folder, and rename that file at the end.
      const isWriting = (await readdir(downloads)).some((one) =>
        /\.(?:part|crdownload|wkdownload)$/.test(one),
      )
      return size === sizeBytes && !isWriting ? path : null
    },
    patienceMs,
  )
