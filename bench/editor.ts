import { loadavg } from 'node:os'
import type { Page } from '@playwright/test'
import { launchBrowser, requirePages } from './lib/browser.ts'
import { quantile } from './lib/measure.ts'
import { openProduct } from './lib/product.ts'
import { wholeNumber } from './lib/settings.ts'

/**
 * Benchmarks typing on the home page in Chromium (`CHROMIUM_PATH`), in a Markdown text of `CHARACTERS` (1,000,000)
 * characters. Types `KEYS` (200) keys, and measures the time from each key until the page can handle its next event.
 * Then types the same number of keys with tracing, and measures only the tasks of the key and of its frame. Needs the
 * built web app; `BASE_URL` selects a running server.
 */

const CHARACTERS = wholeNumber('CHARACTERS', 1_000_000)
const KEYS = wholeNumber('KEYS', 200)
/** Interval between the keys of a very fast typist. */
const PAUSE_MS = 40

const PIECE = [
  '## Part',
  'Words with **strong**, *em*, `code` and [a link](https://example.com), again and again over several lines.',
  '- one\n- two\n  - three',
  '| a | b |\n| --- | --- |\n| 1 | 2 |',
  '```ts\nconst answer: number = 42\n```',
  '一些中文文字，用来看看输入的速度。',
].join('\n\n')

const makeText = () => `${PIECE}\n\n`.repeat(Math.ceil(CHARACTERS / (PIECE.length + 2))).slice(0, CHARACTERS)

interface Timed {
  keyTimes?: number[]
  longTasks?: number[]
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly args?: { readonly name?: string; readonly data?: { readonly type?: string } }
}

const TRACED = ['-*', 'toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata']

/** Records a browser trace while `run` executes. */
async function traceOf(page: Page, run: () => Promise<void>): Promise<TraceEvent[]> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) events.push(event as unknown as TraceEvent)
  })
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: TRACED },
  })
  await run()
  await session.send('Tracing.end')
  await ended
  await session.detach()
  return events
}

/**
 * Returns the main-thread time of each key. This is the time of its own task and of the task of the frame that shows
 * the character. Excludes the time between the two tasks and the overhead of tracing.
 */
function workOfKeys(events: readonly TraceEvent[]): { readonly key: number; readonly frame: number }[] {
  const isMain = (event: TraceEvent) => event.ph === 'M' && event.args?.name === 'CrRendererMain'
  const threads = new Set(events.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`))
  const own = events
    .filter(({ pid, tid, ph }) => ph === 'X' && threads.has(`${pid} ${tid}`))
    .toSorted((a, b) => a.ts - b.ts)
  const tasks = own.filter(({ name }) => name === 'RunTask')
  const taskOf = ({ pid, tid, ts }: TraceEvent) =>
    tasks.find(
      (task) => task.pid === pid && task.tid === tid && task.ts <= ts && ts < task.ts + (task.dur ?? 0),
    )
  const frames = own.filter(({ name }) => name === 'Layerize' || name === 'Commit')
  const inMs = (task: TraceEvent | undefined) => (task?.dur ?? 0) / 1000
  return own
    .filter(({ name, args }) => name === 'EventDispatch' && args?.data?.type === 'keydown')
    .map((key) => {
      const frame = frames.find(({ pid, tid, ts }) => pid === key.pid && tid === key.tid && ts > key.ts)
      return { key: inMs(taskOf(key)), frame: inMs(frame && taskOf(frame)) }
    })
}

/** Measures each key from its `keydown` event until a message posted on its `input` event is handled. */
const watch = (page: Page) =>
  page.evaluate(() => {
    const timed = window as unknown as Timed
    const keyTimes: number[] = []
    const longTasks: number[] = []
    timed.keyTimes = keyTimes
    timed.longTasks = longTasks
    let startMs = 0
    document.addEventListener('keydown', () => (startMs = performance.now()), { capture: true })
    document.addEventListener('input', () => {
      const channel = new MessageChannel()
      channel.port1.addEventListener('message', () => keyTimes.push(performance.now() - startMs))
      channel.port1.start()
      channel.port2.postMessage(null)
    })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(Math.round(duration))
    }).observe({ entryTypes: ['longtask'] })
  })

const readTimes = (page: Page) =>
  page.evaluate(() => {
    const { keyTimes = [], longTasks = [] } = window as unknown as Timed
    return { keyTimes, longTasks }
  })

async function typeKeys(page: Page): Promise<void> {
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press(key % 8 === 7 ? 'Space' : 'e')
    await page.waitForTimeout(PAUSE_MS)
  }
  await page.waitForTimeout(3000)
}

function figuresOf(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.5, 0.95, 1].map((share) => quantile(sorted, share).toFixed(1)).join(' / ')
}

async function measure(page: Page, url: string, mode: 'source' | 'split'): Promise<string> {
  await page.goto(`${url}api/health`)
  await page.evaluate(
    ([text, chosen]) => {
      localStorage.setItem('home_draft', JSON.stringify({ text, contentType: 'text/markdown' }))
      localStorage.setItem('editor_mode', chosen ?? '')
    },
    [makeText(), mode],
  )
  await page.goto(url)
  await page.getByRole('toolbar').first().waitFor()
  const field = page.locator('.cm-content')
  await field.click()
  // Waits for work that follows the first rendering, because this work is not caused by typing.
  await page.waitForTimeout(8000)
  await watch(page)
  await typeKeys(page)
  const { keyTimes, longTasks } = await readTimes(page)
  const work = workOfKeys(await traceOf(page, () => typeKeys(page)))
  const over = keyTimes.filter((time) => time > 16).length
  const worked = [work.map(({ key }) => key), work.map(({ frame }) => frame)].map(figuresOf).join(' | ')
  return `| ${mode} | ${keyTimes.length} | ${figuresOf(keyTimes)} | ${over} | ${worked} | ${longTasks.join(', ') || 'none'} |`
}

await using product = await openProduct()
await requirePages(product)
const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  console.log(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
  console.log(
    '| mode | keys | from key to free page p50 / p95 / max, ms | over 16 ms | task of the key, ms | task of its frame, ms | long tasks, ms |\n| --- | --: | --- | --: | --- | --- | --- |',
  )
  for (const mode of ['source', 'split'] as const) console.log(await measure(page, product.url, mode))
} finally {
  await browser.close()
}
