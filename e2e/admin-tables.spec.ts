import { apiKeyRoutes, pasteRoutes, storageConfigRoutes } from '@dropleaf/contract'
import type { Locator, Page } from '@playwright/test'
import { adminWords as english } from '../apps/web/src/locales/en-US/admin/index.ts'
import { adminWords as chinese } from '../apps/web/src/locales/zh-CN/admin/index.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, test } from './support/test.ts'
import { inTurn, say } from './support/worlds.ts'

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog')

for (const { language, words, width } of inTurn('tables', [
  { language: 'en-US', words: english, width: 1280 },
  { language: 'zh-CN', words: chinese, width: 360 },
])) {
  test.describe(`tables in ${language}, ${width} px wide`, () => {
    test.use({ viewport: { width, height: 800 }, locale: language })
    const id = `tables-${width}`

    test('a search is cleared by its button and together with the filters', async ({
      adminPage: page,
      admin,
    }) => {
      await admin.call(apiKeyRoutes.create, { body: { name: `Cleared ${id}`, text_permission: true } })
      await page.goto('/admin/key-management')
      const search = page.getByRole('searchbox')
      for (const button of [words.table.clearSearch, words.table.clearFilters]) {
        await search.fill('matches nothing at all')
        await expect(page.getByText(words.table.noMatch)).toBeVisible()
        await page.getByRole('button', { name: button }).click()
        await expect(row(page, `Cleared ${id}`)).toBeVisible()
        await expect(search).toHaveValue('')
        await expect(page).not.toHaveURL(/q=/)
      }
    })

    test('deleting all rows of the last page shows the previous page without a selection', async ({
      adminPage: page,
      admin,
    }) => {
      for (let number = 0; number < 12; number += 1) {
        const slug = `${id}-${String(number).padStart(2, '0')}`
        await admin.call(pasteRoutes.create, { body: { content: slug, slug } })
      }
      await page.goto(`/admin/text-management?q=${id}&size=10&sortBy=slug&order=asc&page=2`)
      await expect(row(page, `${id}-11`)).toBeVisible()
      await page.getByRole('checkbox', { name: words.table.selectPage }).check()
      await page.getByRole('button', { name: words.shares.actions.delete, exact: true }).click()
      await dialog(page).getByRole('button', { name: words.shares.actions.delete }).click()
      await expect(row(page, `${id}-09`)).toBeVisible()
      await expect(page).not.toHaveURL(/page=/)

      await admin.call(apiKeyRoutes.create, { body: { name: `Gone ${id}`, text_permission: true } })
      await page.goto('/admin/key-management')
      await row(page, `Gone ${id}`).getByRole('checkbox').check()
      await expect(page.getByText(say(words.table.selected, { count: 1 }))).toBeVisible()
      await page.getByRole('button', { name: words.keys.delete, exact: true }).click()
      await dialog(page).getByRole('button', { name: words.keys.delete }).click()
      await expect(row(page, `Gone ${id}`)).toHaveCount(0)
      await expect(page.getByText(say(words.table.selected, { count: 1 }))).toHaveCount(0)
    })

    test('a failed deletion keeps the selection for a retry; a successful one moves the focus to the next row', async ({
      adminPage: page,
      admin,
    }) => {
      const slugs = ['a', 'b', 'c', 'd'].map((end) => `kept-${id}-${end}`)
      for (const slug of slugs) await admin.call(pasteRoutes.create, { body: { content: slug, slug } })
      await page.goto(`/admin/text-management?q=kept-${id}&sortBy=slug&order=asc`)
      const remove = words.shares.actions.delete
      const press = async (button: Locator) => {
        await button.focus()
        await page.keyboard.press('Enter')
      }
      await row(page, slugs[0] ?? '')
        .getByRole('checkbox')
        .check()
      await row(page, slugs[1] ?? '')
        .getByRole('checkbox')
        .check()
      await page.route('**/batch-delete', (route) => route.fulfill({ status: 500, json: {} }))
      await press(page.getByRole('button', { name: remove, exact: true }))
      await press(dialog(page).getByRole('button', { name: remove }))
      await expect(dialog(page).getByRole('alert')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByText(say(words.table.selected, { count: 2 }))).toBeVisible()
      await page.unroute('**/batch-delete')
      await press(page.getByRole('button', { name: remove, exact: true }))
      await press(dialog(page).getByRole('button', { name: remove }))
      await expect(row(page, slugs[0] ?? '')).toHaveCount(0)
      await expect(page.getByRole('checkbox', { name: words.table.selectPage })).toBeFocused()

      await press(page.getByRole('button', { name: say(words.shares.actions.of, { name: slugs[2] ?? '' }) }))
      await press(page.getByRole('menuitem', { name: remove }))
      await press(dialog(page).getByRole('button', { name: remove }))
      await expect(row(page, slugs[2] ?? '')).toHaveCount(0)
      await expect(row(page, slugs[3] ?? '').locator(':focus')).toHaveCount(1)
    })

    test('rows are sorted in every layout, and long names do not widen the page', async ({
      adminPage: page,
      admin,
    }) => {
      const { data } = await admin.call(storageConfigRoutes.create, {
        body: { name: `${id}-`.repeat(4), provider_type: 'Local disk', bucket_name: id },
      })
      for (const end of ['a', 'b']) {
        await admin.call(pasteRoutes.create, { body: { content: end, slug: `sorted-${id}-${end}` } })
      }
      await page.goto(`/admin/text-management?q=sorted-${id}`)
      const rows = page.getByRole('row').filter({ hasText: `sorted-${id}` })
      await expect(rows.first()).toContainText(`sorted-${id}-b`)
      if (width < 700) await page.getByLabel(words.table.sortField).selectOption('slug asc')
      else {
        const byLink = page.getByRole('button', { name: words.shares.columns.link, exact: true })
        await byLink.click()
        await byLink.click()
      }
      await expect(page).toHaveURL(/order=asc/)
      await expect(rows.first()).toContainText(`sorted-${id}-a`)
      await page.goto('/admin/file-management')
      await expect(page.getByLabel(words.shares.columns.storage, { exact: true })).toContainText(
        `${id}-`.repeat(4),
      )
      expect(await isWiderThanScreen(page)).toBe(false)
      await admin.call(storageConfigRoutes.remove, { params: { id: data.id } })
    })
  })
}
