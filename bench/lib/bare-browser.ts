import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import type { BrowserProcess } from './browser-memory.ts'
import { ARGS, PATH } from './browser.ts'
import { existing } from './settings.ts'

/**
 * A Chromium without an attached debugger while its pages work. With a debugger, a page stores the bodies of its
 * requests for the developer tools, so its memory would say nothing about the app.
 */
export interface BareBrowser extends AsyncDisposable {
  /** Opens a new page and closes all others, runs `work` with the new page, then detaches from it. */
  readonly act: <T>(work: (page: Page) => Promise<T>) => Promise<T>
  /** Runs `work` with the open page. */
  readonly look: <T>(work: (page: Page) => Promise<T>) => Promise<T>
  /** Waits until the page sets this title. */
  readonly untilTitle: (title: string) => Promise<void>
  readonly processes: () => Promise<readonly BrowserProcess[]>
}

const POLL_MS = 200

async function descendants(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const own = text.trim().split(' ').filter(Boolean).map(Number)
  return [pid, ...(await Promise.all(own.map(descendants))).flat()]
}

async function typeOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return /--type=([\w-]+)/.exec(text)?.[1] ?? 'browser'
}

/** @param downloads folder of downloaded files */
export async function startBareBrowser(profile: string, downloads: string): Promise<BareBrowser> {
  const child = spawn(
    existing('CHROMIUM_PATH', PATH),
    [
      ...ARGS,
      '--headless',
      '--lang=en-US',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let address = ''
  for await (const line of createInterface({ input: child.stderr })) {
    address = /listening on (ws:\S+)/.exec(line)?.[1] ?? ''
    if (address !== '') break
  }
  child.stderr.resume()
  // Keeps this connection open, because downloads are allowed only while it is open.
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const allowDownloads = () => {
    const params = { behavior: 'allow', downloadPath: downloads }
    socket.send(JSON.stringify({ id: 1, method: 'Browser.setDownloadBehavior', params }))
  }
  allowDownloads()
  const connected = async <T>(work: (pages: Page[], open: () => Promise<Page>) => Promise<T>) => {
    const browser = await chromium.connectOverCDP(address)
    const [context] = browser.contexts()
    if (!context) throw new Error('The browser has no window.')
    try {
      return await work(context.pages(), () => context.newPage())
    } finally {
      await browser.close()
      // Playwright has set a folder of its own for downloads.
      allowDownloads()
    }
  }
  const pagesOf = async () => {
    const answer = await fetch(new URL('/json/list', address.replace('ws:', 'http:')))
    const targets = (await answer.json()) as { title: string; type: string }[]
    return targets.filter(({ type }) => type === 'page')
  }
  return {
    act: (work) =>
      connected(async (before, open) => {
        const page = await open()
        for (const old of before) await old.close()
        while ((await pagesOf()).length > 1) await sleep(POLL_MS)
        return work(page)
      }),
    look: (work) => connected(async ([page], open) => work(page ?? (await open()))),
    async untilTitle(title) {
      while (!(await pagesOf()).some((page) => page.title === title)) await sleep(POLL_MS)
    },
    processes: async () => {
      const ids = await descendants(child.pid ?? 0)
      return Promise.all(ids.map(async (id) => ({ id, type: await typeOf(id) })))
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      // Chromium can ignore the first SIGTERM after a download of a large file.
      child.kill('SIGKILL')
      await ended
    },
  }
}
