import { apiKeyRoutes, fileRoutes, managedPasteRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { adminWords as englishAdmin } from '../apps/web/src/locales/en-US/admin/index.ts'
import { locale as english } from '../apps/web/src/locales/en-US/index.ts'
import { adminWords as chineseAdmin } from '../apps/web/src/locales/zh-CN/admin/index.ts'
import { locale as chinese } from '../apps/web/src/locales/zh-CN/index.ts'
import type { Api } from './support/api.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, test } from './support/test.ts'
import { inTurn } from './support/worlds.ts'

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog')
const fill = (template: string, values: Record<string, string>) =>
  template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')

async function shareText(api: Api, slug: string, more: Record<string, unknown> = {}) {
  await api.call(pasteRoutes.create, { body: { content: `text of ${slug}`, slug, ...more } })
}

async function shareFile(origin: string, authorization: string, name: string, query = '') {
  const answer = await fetch(`${origin}/api/upload-direct/${encodeURIComponent(name)}${query}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/octet-stream' },
    body: `bytes of ${name}`,
  })
  expect(answer.status).toBe(200)
}

for (const { language, words, common, viewport } of inTurn('shares', [
  { language: 'en-US', words: englishAdmin, common: english, viewport: { width: 1280, height: 900 } },
  { language: 'zh-CN', words: chineseAdmin, common: chinese, viewport: { width: 360, height: 740 } },
])) {
  test.describe(`in ${language}, ${viewport.width} px wide`, () => {
    test.use({ viewport, locale: language })
    const id = viewport.width === 360 ? 'phone' : 'desk'
    const more = (name: string) => ({ name: fill(words.shares.actions.of, { name }) })

    test('texts are found, viewed, edited, passed on and deleted', async ({
      adminPage: page,
      admin,
      context,
      baseURL,
    }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const slug = `adm-locked-${id}`
      const expiresAt = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString()
      await shareText(admin, slug, { password: 'open sesame', remark: `Minutes ${id}`, expiresAt })
      await shareText(admin, `adm-open-${id}`)
      await page.goto(`/admin/text-management?q=${id}`)
      await expect(row(page, slug)).toBeVisible()
      await expect(row(page, `adm-open-${id}`)).toBeVisible()
      // On a phone, the filters are behind a button that shows whether a filter is set.
      const fold = page.getByRole('button', { name: words.table.filters, exact: true })
      const protection = page.getByLabel(words.shares.protection.label, { exact: true })
      if (viewport.width === 360) {
        await expect(protection).toBeHidden()
        await fold.press('Enter')
        await expect(fold).toHaveAttribute('aria-expanded', 'true')
      } else await expect(fold).toBeHidden()
      await protection.selectOption('yes')
      if (viewport.width === 360) {
        const told = page.getByRole('button', { name: fill(words.table.filtersSet, { number: '1' }) })
        await told.press('Enter')
        await expect(told).toHaveAttribute('aria-expanded', 'false')
      }
      await expect(row(page, `adm-open-${id}`)).toHaveCount(0)
      await expect(page).toHaveURL(/protected=yes/)

      await page.getByRole('button', { name: fill(words.shares.actions.preview, { name: slug }) }).click()
      await expect(dialog(page)).toContainText(`text of ${slug}`)
      await expect(dialog(page)).toContainText('open sesame')
      await page.keyboard.press('Escape')

      await page.getByRole('button', more(slug)).click()
      await page.getByRole('menuitem', { name: words.shares.actions.copyRaw }).click()
      await expect(page.getByText(words.shares.actions.copied, { exact: true })).toBeVisible()
      const raw = await page.evaluate(() => navigator.clipboard.readText())
      expect(await (await fetch(raw)).text()).toBe(`text of ${slug}`)

      await page.getByRole('button', more(slug)).click()
      await page.getByRole('menuitem', { name: words.shares.actions.qr }).click()
      await expect(dialog(page)).toContainText(`${baseURL}/paste/${slug}`)
      await dialog(page).getByRole('button', { name: common.common.close }).click()
      await expect(page.getByRole('button', more(slug))).toBeFocused()

      await page.getByRole('button', { name: fill(words.shares.actions.edit, { name: slug }) }).click()
      await page.getByLabel(common.common.remark.label).fill(`Changed ${id}`)
      await page.getByRole('button', { name: common.common.save }).click()
      await expect(row(page, `Changed ${id}`)).toBeVisible()
      const { data } = await admin.call(managedPasteRoutes.adminList, { query: { search: slug } })
      expect(data).toMatchObject([{ remark: `Changed ${id}`, expires_at: expiresAt, has_password: 1 }])

      await page.getByRole('button', more(slug)).click()
      await page.getByRole('menuitem', { name: words.shares.actions.delete }).click()
      await expect(dialog(page)).toContainText(slug)
      await expect(dialog(page)).toContainText(words.texts.deleteText_one)
      await dialog(page).getByRole('button', { name: words.shares.actions.delete }).click()
      await expect(page.getByText(fill(words.shares.deletion.done_one, { count: '1' }))).toBeVisible()
      await expect(page.getByText(words.table.noMatch)).toBeVisible()
      await page.getByRole('button', { name: words.table.clearFilters }).click()
      await expect(page).not.toHaveURL(/protected/)
      expect(await isWiderThanScreen(page)).toBe(false)
    })

    test('files show their location, keep their expiry when edited, and are deleted with their bytes', async ({
      adminPage: page,
      admin,
      adminToken,
      server,
    }) => {
      const name = `管理 ${id}.txt`
      await shareFile(server.origin, `Bearer ${adminToken}`, name, '?expires_in=24&remark=first')
      await page.goto(`/admin/file-management?q=${encodeURIComponent(name)}`)
      await page.getByRole('button', { name: fill(words.shares.actions.preview, { name }) }).click()
      await expect(dialog(page)).toContainText('SHA-256')
      await expect(dialog(page)).toContainText(words.fileShares.details.proxy)
      await expect(dialog(page)).toContainText(common.common.localDisk)
      const [preview] = await Promise.all([
        page.waitForEvent('popup'),
        dialog(page).getByRole('link', { name: words.fileShares.details.preview }).click(),
      ])
      await expect(preview.getByText(`bytes of ${name}`)).toBeVisible()
      await preview.close()
      await page.keyboard.press('Escape')
      const find = async () =>
        (await admin.call(fileRoutes.adminList, { query: { search: name } })).data.files
      const [before] = await find()
      await page.getByRole('button', { name: fill(words.shares.actions.edit, { name }) }).click()
      await dialog(page).getByLabel(common.common.remark.label).fill(`second ${id}`)
      await dialog(page).getByRole('button', { name: common.common.save }).click()
      await expect(row(page, `second ${id}`)).toBeVisible()
      const [after] = await find()
      expect(after).toMatchObject({ remark: `second ${id}`, expires_at: before?.expires_at, views: 0 })

      await page.getByRole('button', more(name)).click()
      await page.getByRole('menuitem', { name: words.shares.actions.delete }).click()
      await expect(dialog(page)).toContainText(words.fileShares.deleteText_one)
      await dialog(page).getByRole('button', { name: words.shares.actions.delete }).click()
      await expect(page.getByText(words.table.noMatch)).toBeVisible()
      expect(await find()).toEqual([])
      expect(await isWiderThanScreen(page)).toBe(false)
    })

    test('a selection spans pages or all matches, and is deleted with correct counts', async ({
      adminPage: page,
      admin,
    }) => {
      for (let number = 0; number < 25; number += 1) await shareText(admin, `bulk-${id}-${number}`)
      await page.goto(`/admin/text-management?q=bulk-${id}&size=10&sortBy=slug&order=asc`)
      await page.getByRole('checkbox').nth(1).check()
      await page.getByRole('button', { name: words.table.next }).click()
      await expect(page).toHaveURL(/page=2/)
      // The previous rows stay until the rows of the new page have loaded.
      await expect(row(page, `bulk-${id}-18`)).toBeVisible()
      await page.getByRole('checkbox').nth(2).check()
      await expect(page.getByText(fill(words.table.selected, { count: '2' }))).toBeVisible()
      await page.getByRole('button', { name: words.shares.actions.delete, exact: true }).click()
      await dialog(page).getByRole('button', { name: words.shares.actions.delete }).click()
      await expect(page.getByText(fill(words.shares.deletion.done_other, { count: '2' }))).toBeVisible()
      await page.getByRole('checkbox').nth(1).check()
      const all = page.getByRole('button', { name: fill(words.table.selectMatching, { count: '23' }) })
      await all.click()
      await page.getByRole('checkbox').nth(2).uncheck()
      await expect(page.getByText(fill(words.table.selected, { count: '9' }))).toBeVisible()
      await all.click()
      await page.getByRole('button', { name: words.shares.actions.delete, exact: true }).click()
      await expect(dialog(page)).toContainText('23')
      await dialog(page).getByRole('button', { name: words.shares.actions.delete }).click()
      await expect(page.getByText(fill(words.shares.deletion.done_other, { count: '23' }))).toBeVisible()
      const { pagination } = await admin.call(managedPasteRoutes.adminList, {
        query: { search: `bulk-${id}` },
      })
      expect(pagination.total).toBe(0)
    })

    test('a key holder deletes its own shares, and sees none of others', async ({ page, admin }) => {
      const { data: key } = await admin.call(apiKeyRoutes.create, {
        body: { name: `Holder ${id}`, expires_at: 'never', text_permission: true, file_permission: true },
      })
      const holder = admin.withKey(key.key)
      await shareText(admin, `not-yours-${id}`)
      await shareText(holder, `yours-${id}`)
      await shareText(holder, `read-${id}`, { maxViews: 1 })
      await admin.call(pasteRoutes.read, { params: { slug: `read-${id}` } })
      await page.goto('/admin')
      await page.evaluate((text) => localStorage.setItem('api_key', text), key.key)
      await page.goto('/admin/text-management')
      await expect(row(page, `yours-${id}`).first()).toBeVisible()
      await expect(row(page, `not-yours-${id}`)).toHaveCount(0)
      await expect(page.getByLabel(words.shares.creator.label)).toHaveCount(0)
      await page.getByRole('button', { name: words.texts.clean }).click()
      await dialog(page).getByRole('button', { name: words.texts.clean }).click()
      await expect(page.getByText(fill(words.shares.deletion.done_one, { count: '1' }))).toBeVisible()
      await expect(row(page, `read-${id}`)).toHaveCount(0)
      await expect(row(page, `yours-${id}`)).toBeVisible()
    })
  })
}
