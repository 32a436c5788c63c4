import { fsFileRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Locator } from '@playwright/test'
import { expect, test } from './support/test.ts'

const ARABIC = 'عنوان طويل جدا لنص يشاركه أحدهم مع غيره'

const startsAtRight = (line: Locator) =>
  line.evaluate((element) => {
    const { direction, textAlign } = getComputedStyle(element)
    const range = document.createRange()
    range.selectNodeContents(element)
    const end = range.getBoundingClientRect().right
    const isAtEdge = Math.abs(element.getBoundingClientRect().right - end) < 2
    return direction === 'rtl' && textAlign === 'start' && isAtEdge
  })

test('headings in Arabic begin at the right', async ({ adminPage: page, admin, adminToken, server }) => {
  const { slug } = await admin.call(pasteRoutes.create, { body: { content: 'text', remark: ARABIC } })
  await page.goto(`/paste/${slug}`)
  const title = page.getByRole('heading', { name: ARABIC })
  // Fonts and styles may come after it.
  await expect.poll(() => startsAtRight(title)).toBe(true)

  const name = `${ARABIC}.txt`
  const headers = { authorization: `Bearer ${adminToken}` }
  await fetch(`${server.origin}/api/upload-direct/${encodeURIComponent(name)}?slug=from-the-right`, {
    method: 'PUT',
    headers,
    body: 'a file',
  })
  await page.goto('/file/from-the-right')
  const bdi = page.getByRole('heading', { name }).locator('bdi')
  await expect.poll(() => startsAtRight(bdi)).toBe(true)
})

test('a long name wraps in the title of a dialog, on a phone too', async ({ adminPage: page, admin }) => {
  const name = `${'n'.repeat(200)}.txt`
  await admin.call(fsFileRoutes.mkdir, { body: { path: '/local/long-names/' } }).catch(() => undefined)
  await admin.call(fsFileRoutes.update, { body: { path: `/local/long-names/${name}`, content: 'n' } })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/mount-explorer/local/long-names')
  await page.getByRole('row').filter({ hasText: 'nnn' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const title = page.getByRole('dialog').getByRole('heading', { name: 'Delete' })
  await expect(title).toBeVisible()
  expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})
