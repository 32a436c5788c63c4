import { loadavg } from 'node:os'
import type { Page } from '@playwright/test'
import { launchBrowser, requirePages } from './lib/browser.ts'
import { send } from './lib/measure.ts'
import { openProduct } from './lib/product.ts'
import { wholeNumber, wholeNumbers } from './lib/settings.ts'

/**
 * Opens Markdown texts of `SIZES` (1000000,9900000) characters in Chromium (`CHROMIUM_PATH`). Measures the time from
 * the start of the navigation to the first heading and to the end of the text, and main-thread tasks above 50 ms. Needs
 * the built web app; `BASE_URL` selects a running server.
 */

const SIZES = wholeNumbers('SIZES', [1_000_000, 9_900_000], { least: 1000, most: 10_000_000 })
const ROUNDS = wholeNumber('ROUNDS', 3)

/** A typical section: formatted words, a list, a table, code and sometimes a formula. */
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
  // Waits for the performance entries of the last frame, which arrive after that frame.
  await page.waitForTimeout(500)
  const longTasks = await page.evaluate(() => (window as unknown as { seen: { tasks: number[] } }).seen.tasks)
  return { firstMs: Math.round(first), wholeMs: Math.round(whole), longTasks }
}

await using product = await openProduct()
await requirePages(product)
const { headers } = await product.createKey()
const target = { name: 'Dropleaf', url: product.url, headers }

async function share(content: string): Promise<string> {
  const body = Buffer.from(JSON.stringify({ content }))
  const sent = { body, headers: { 'content-type': 'application/json', 'content-length': body.length } }
  const { slug } = JSON.parse((await send(target, 'POST', 'api/paste', sent)).toString()) as { slug: string }
  return `${product.url}paste/${slug}`
}

const browser = await launchBrowser()
try {
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
    const address = await share(content)
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
      const { firstMs, wholeMs, longTasks } = await measure(page, address)
      const longest = Math.max(0, ...longTasks)
      console.log(`| ${content.length} | ${firstMs} | ${wholeMs} | ${longTasks.length} | ${longest} |`)
      await page.close()
    }
  }
} finally {
  await browser.close()
}
