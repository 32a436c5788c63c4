import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext } from '@playwright/test'

const MEMORY_MS = 500

interface Memory {
  readonly total: number
  /** Bytes by type of process: `browser`, `renderer`, and others. */
  readonly byType: ReadonlyMap<string, number>
}

export interface BrowserProcess {
  readonly id: number
  readonly type: string
}

/** Returns the proportional set size of processes, in bytes. */
export async function memoryOf(processes: readonly BrowserProcess[]): Promise<Memory> {
  const byType = new Map<string, number>()
  let total = 0
  for (const { id, type } of processes) {
    const text = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '')
    const bytes = Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024
    total += bytes
    byType.set(type, (byType.get(type) ?? 0) + bytes)
  }
  return { total, byType }
}

export interface Processes {
  /** Measures the memory of all processes of the browser. */
  readonly memory: () => Promise<Memory>
  /** Returns the ids of the processes that run pages and their workers. */
  readonly renderers: () => Promise<number[]>
}

export async function processesOf(context: BrowserContext): Promise<Processes> {
  const browser = context.browser()
  if (!browser) throw new Error('There is no browser.')
  const session = await browser.newBrowserCDPSession()
  const list = async () => (await session.send('SystemInfo.getProcessInfo')).processInfo
  return {
    memory: async () => memoryOf(await list()),
    renderers: async () => (await list()).filter(({ type }) => type === 'renderer').map(({ id }) => id),
  }
}

/**
 * Starts to sample the memory. @returns a function that ends the sampling and returns the largest total, and the
 * largest sum of each type
 */
export function watchMemory({ memory }: Pick<Processes, 'memory'>): () => Promise<Memory> {
  let total = 0
  const byType = new Map<string, number>()
  const watch = { isOver: false }
  const run = (async () => {
    while (!watch.isOver) {
      const now = await memory()
      total = Math.max(total, now.total)
      for (const [type, bytes] of now.byType) byType.set(type, Math.max(bytes, byType.get(type) ?? 0))
      await sleep(MEMORY_MS)
    }
  })()
  return async () => {
    watch.isOver = true
    await run
    return { total, byType }
  }
}
