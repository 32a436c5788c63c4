import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { startServer } from '../apps/server/src/testing/server-process.ts'

/**
 * Markdown texts of `SIZES` (1000000,9900000) characters in Chromium (`CHROMIUM_PATH`): from the click on a link to the
 * first heading, to the end of the text, and the tasks of the main thread above 50 ms. Needs the built web app.
 */

const SIZES = (process.env.SIZES ?? '1000000,9900000').split(',').map(Number)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const PASSWORD = 'only for the benchmark'

/** A section as people write them: words with marks, a list, a table, code and now and then a formula. */
const section = (number: number) => `## Section ${number}

Some *words* with **marks**, a [link](https://example.com/${number}), \`code\`, 中文内容与标点。 ${'And the text goes on for a while, as texts do. '.repeat(6)}

- one of ${number}
- two, ~~three~~ ==four==
  - [x] done

| name | value | note |
| :--- | ----: | :--: |
| a | ${number} | x |
| b | ${number * 2} | y |

\`\`\`ts
export const answer${number} = (question: string): number => ${number} // a comment
\`\`\`

${number % 10 === 0 ? `A formula $x_{${number}}^2 + y^2 = z^2$ in a line.\n\n` : ''}> A quote at the end.

`

function textOf(size: number): string {
  const parts = ['# The beginning\n\n']
  for (let length = 0, number = 1; length < size - 1000; number += 1) {
    const part = section(number)
    parts.push(part)
    length += part.length
  }
  return `${parts.join('')}## The end\n`
}

interface Seen {
  readonly firstMs: number
  readonly wholeMs: number
  readonly longTasks: readonly number[]
}

async function measure(page: Page, address: string): Promise<Seen> {
  await page.addInitScript(() => {
    const tasks: number[] = []
    const seen = { tasks, first: 0, whole: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(Math.round(duration))
    }).observe({ entryTypes: ['longtask'] })
    const look = () => {
      const isThere = (id: string) => document.getElementById(`user-content-${id}`) !== null
      if (seen.first === 0 && isThere('the-beginning')) seen.first = performance.now()
      if (document.querySelector('#early') === null && isThere('the-end')) seen.whole = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.goto(address)
  const seen = await page.waitForFunction(
    () => {
      const { seen: found } = window as unknown as { seen: { whole: number; first: number; tasks: number[] } }
      return found.whole > 0 ? { ...found } : null
    },
    null,
    { timeout: 120_000 },
  )
  const { first, whole } = await seen.evaluate((found) => found!)
  // What happened in the last frame is told after it.
  await page.waitForTimeout(500)
  const longTasks = await page.evaluate(() => (window as unknown as { seen: { tasks: number[] } }).seen.tasks)
  return { firstMs: Math.round(first), wholeMs: Math.round(whole), longTasks }
}

const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-bench-'))
const server = await startServer({
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: '18971',
  ADMIN_PASSWORD: PASSWORD,
})
const origin = server.api.replace(/\/api$/, '')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
const call = async (path: string, body: object, token?: string) => {
  const answer = await fetch(`${server.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`)
  return (await answer.json()) as { data: { token: string } }
}
try {
  const { data } = await call('/admin/login', { username: 'admin', password: PASSWORD })
  console.log(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
  console.log(
    '| characters | first heading, ms | whole, ms | tasks above 50 ms | longest, ms |\n| --: | --: | --: | --: | --: |',
  )
  for (const size of SIZES) {
    const content = textOf(size)
    await call('/paste', { content, slug: `text-${size}` }, data.token)
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
      const { firstMs, wholeMs, longTasks } = await measure(page, `${origin}/paste/text-${size}`)
      const longest = Math.max(0, ...longTasks)
      console.log(`| ${content.length} | ${firstMs} | ${wholeMs} | ${longTasks.length} | ${longest} |`)
      await page.close()
    }
  }
} finally {
  await browser.close()
  server.process.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
}
