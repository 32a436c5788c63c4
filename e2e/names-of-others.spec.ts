import { apiKeyRoutes, fsFileRoutes, pasteRoutes } from '@dropleaf/contract'
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

test('headings in Arabic start at the right', async ({ adminPage: page, admin, adminToken, server }) => {
  const { slug } = await admin.call(pasteRoutes.create, { body: { content: 'text', remark: ARABIC } })
  await page.goto(`/paste/${slug}`)
  const title = page.getByRole('heading', { name: ARABIC })
  // Waits, because fonts and styles can load after the heading.
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

/** A name that would add a picture if it were interpreted as HTML. A content security policy would not prevent that. */
const MARKUP = '<img src=x alt=drawn onerror=drawn=1>'

test('names with markup are shown as text', async ({ adminPage: page, admin, adminToken, server }) => {
  const key = `${MARKUP} of a key`
  const remark = `${MARKUP} of a text`
  const file = `${MARKUP} of a share.txt`
  const found = `${MARKUP} needle.txt`
  await admin.call(apiKeyRoutes.create, { body: { name: key, expires_at: 'never', file_permission: true } })
  const { slug } = await admin.call(pasteRoutes.create, { body: { content: 'text', remark } })
  await fetch(`${server.origin}/api/upload-direct/${encodeURIComponent(file)}?slug=of-markup`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}` },
    body: 'a file',
  })
  await admin.call(fsFileRoutes.mkdir, { body: { path: '/local/of-markup/' } })
  await admin.call(fsFileRoutes.update, { body: { path: `/local/of-markup/${found}`, content: 'n' } })
  for (const [address, name] of [
    [`/paste/${slug}`, remark],
    ['/file/of-markup', file],
    ['/admin/key-management', key],
    ['/admin/text-management', remark],
    ['/admin/file-management', file],
    ['/mount-explorer/local/of-markup', found],
  ] as const) {
    await page.goto(address)
    await expect(page.locator('#early')).toHaveCount(0)
    await expect(page.getByText(name).first(), address).toBeVisible()
    await expect(page.getByAltText('drawn'), address).toHaveCount(0)
  }
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').fill('needle')
  await expect(dialog.getByRole('option').first()).toContainText(found)
  await expect(page.getByAltText('drawn')).toHaveCount(0)
})
