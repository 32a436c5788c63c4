import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import { startServer } from '../apps/server/src/testing/server-process.ts'
import { quantile } from './lib/measure.ts'

/**
 * Cold starts without a network: a Chromium process that has just been started (`CHROMIUM_PATH`), with a profile in which the
 * app was opened once, opens the home page and the page of a text that was read. Each of `STARTS` (10) starts is a process of
 * its own; from the beginning of the navigation to the first paint with content, and to the editor or the text. Needs the
 * built web app.
 */

const STARTS = Number(process.env.STARTS ?? 10)
const TEXT = 'read before'

const profile = await mkdtemp(join(tmpdir(), 'dropleaf-bench-profile-'))
const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-bench-'))
const server = await startServer({
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: '18973',
  ADMIN_PASSWORD: 'only for the benchmark',
})
const origin = server.api.replace(/\/api$/, '')

const startBrowser = (offline: boolean): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    offline,
  })

async function makeText(): Promise<string> {
  const call = async (path: string, body: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(`${server.api}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { readonly slug?: string; readonly data?: { readonly token?: string } }
  }
  const login = await call('/admin/login', { username: 'admin', password: 'only for the benchmark' })
  const { slug = '' } = await call('/paste', { content: `# Text\n\n${TEXT}` }, login.data?.token)
  return slug
}

/** Opens the app once with a line, and what is to be read. */
async function prepare(slug: string): Promise<void> {
  const context = await startBrowser(false)
  const page = await context.newPage()
  await page.goto(origin)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 })
  await page.goto(`${origin}/paste/${slug}`)
  await page.getByText(TEXT).waitFor()
  // Browsers write what they keep after a while.
  await page.waitForTimeout(5000)
  await context.close()
}

/** Milliseconds from the beginning of the navigation: first paint with content, and what was waited for. */
async function measure(path: string, seen: string): Promise<readonly [paint: number, seen: number]> {
  const context = await startBrowser(true)
  const page = await context.newPage()
  await page.addInitScript((selector) => {
    const look = () => {
      const text = document.querySelector(selector)?.textContent
      if (text === undefined) requestAnimationFrame(look)
      else performance.mark('seen')
    }
    requestAnimationFrame(look)
  }, seen)
  await page.goto(`${origin}${path}`)
  const times = await page.waitForFunction(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    const mark = performance.getEntriesByName('seen')[0]?.startTime
    return paint !== undefined && mark !== undefined ? ([paint, mark] as const) : null
  })
  const found = await times.jsonValue()
  await context.close()
  if (found === null) throw new Error('Nothing was seen.')
  return found
}

const figuresOf = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.5, 1].map((share) => quantile(sorted, share).toFixed(0)).join(' / ')
}

try {
  const slug = await makeText()
  await prepare(slug)
  const load = loadavg().map((one) => one.toFixed(1))
  console.log(`load average ${load.join(' ')}`)
  console.log('| page | starts | first paint p50 / max, ms | seen p50 / max, ms |\n| --- | --: | --- | --- |')
  const pages = [
    ['home: one can type', '/', 'textarea, .cm-content'],
    ['a text', `/paste/${slug}`, '.dl-prose p'],
  ] as const
  for (const [name, path, seen] of pages) {
    const times: (readonly [number, number])[] = []
    for (let start = 0; start < STARTS; start += 1) times.push(await measure(path, seen))
    const [paint, shown] = [0, 1].map((index) => figuresOf(times.map((one) => one[index] ?? 0)))
    console.log(`| ${name} | ${STARTS} | ${paint} | ${shown} |`)
  }
} finally {
  server.process.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
  await rm(profile, { recursive: true, force: true })
}
