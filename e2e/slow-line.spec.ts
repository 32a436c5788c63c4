import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

/** Tests a phone on a slow connection. Content that loads late must appear in space that is reserved for it. */

test.use({ viewport: { width: 412, height: 823 } })

/** Maximum layout shift. Google rates layout shifts up to 0.1 as good. */
const SHIFT_MAX = 0.02

const FILES = {
  'short.txt': 'one\ntwo\n',
  'long.txt': 'a line of words\n'.repeat(500),
  'notes.md': '# Head\n\nwords\n\n'.repeat(20),
  'table.csv': 'a,b\n1,2\n',
  'facts.bin': '\u0001\u0002\u0003',
} as const

async function slowDown(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const bytesPerSecond = 1.6e6 / 8
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (!(entry as unknown as { hadRecentInput: boolean }).hadRecentInput)
          shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

async function shiftOf(page: Page, path: string): Promise<number> {
  await page.goto(path)
  await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible()
  await expect(page.locator('[data-waiting]')).toHaveCount(0)
  return page.evaluate(() =>
    (globalThis as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0),
  )
}

test('file page and preview reserve space for late content', async ({
  adminPage: page,
  adminToken,
  server,
}) => {
  const headers = { authorization: `Bearer ${adminToken}` }
  const put = async (path: string, body: string) => {
    const answer = await fetch(`${server.origin}${path}`, { method: 'PUT', headers, body })
    expect(answer.ok).toBe(true)
  }
  for (const [name, body] of Object.entries(FILES)) {
    await put(`/${name}?slug=slow-${name.replace('.', '-')}`, body)
    await put(`/api/fs/upload?path=${encodeURIComponent(`/local/slow/${name}`)}`, body)
  }
  await slowDown(page)
  const shifts: Record<string, number> = {}
  for (const name of Object.keys(FILES)) {
    shifts[`page of ${name}`] = await shiftOf(page, `/file/slow-${name.replace('.', '-')}`)
    shifts[`preview of ${name}`] = await shiftOf(page, `/mount-explorer/local/slow?preview=${name}`)
  }
  expect(Object.entries(shifts).filter(([, shift]) => shift >= SHIFT_MAX)).toEqual([])
})
