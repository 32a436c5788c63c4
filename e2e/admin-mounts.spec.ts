import {
  apiKeyRoutes,
  mountRoutes,
  searchRoutes,
  SORT_ORDER_LIMIT,
  storageConfigRoutes,
} from '@dropleaf/contract'
import type { Locator, Page } from '@playwright/test'
import { adminWords as englishAdmin } from '../apps/web/src/locales/en-US/admin/index.ts'
import { auth as englishAuth } from '../apps/web/src/locales/en-US/auth.ts'
import { adminWords as chineseAdmin } from '../apps/web/src/locales/zh-CN/admin/index.ts'
import { auth as chineseAuth } from '../apps/web/src/locales/zh-CN/auth.ts'
import { expectAccessible } from './support/accessible.ts'
import type { Api } from './support/api.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, test } from './support/test.ts'
import { inTurn, say } from './support/worlds.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

async function makeMount(admin: Api, fields: { name: string; path: string; order?: number }) {
  const { data: storages } = await admin.call(storageConfigRoutes.list)
  const disk = storages.find(({ name }) => name === 'Local disk')
  const { data } = await admin.call(mountRoutes.create, {
    body: {
      name: fields.name,
      storage_type: 'S3',
      storage_config_id: disk?.id ?? '',
      mount_path: fields.path,
      remark: null,
      sort_order: fields.order ?? null,
      cache_ttl: null,
    },
  })
  return data
}

const removeMount = (admin: Api, id: string) => admin.call(mountRoutes.remove, { params: { id } })

for (const { language, words, auth, disk, width } of inTurn('mounts', [
  { language: 'en-US', words: englishAdmin, auth: englishAuth, disk: 'Local disk', width: 1280 },
  { language: 'zh-CN', words: chineseAdmin, auth: chineseAuth, disk: '本地磁盘', width: 360 },
])) {
  const { mounts } = words
  const open = async (page: Page) => {
    await page.goto('/admin/mount-management')
    await expect(page.getByRole('button', { name: mounts.create })).toBeEnabled()
  }
  const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })

  test.describe(`mounts in ${language}, ${width} px wide`, () => {
    test.use({ viewport: { width, height: 800 }, locale: language })

    test('a mount is created, disabled, enabled, indexed, changed and deleted', async ({
      adminPage: page,
      admin,
    }) => {
      const name = `Papers ${width}`
      const path = `/papers-${width}/资料`
      await open(page)
      await page.getByRole('button', { name: mounts.create }).click()
      await field(page, mounts.name).fill(name)
      await field(page, mounts.path).fill(path)
      await field(page, mounts.remark).fill('for the team')
      await dialog(page).getByRole('button', { name: mounts.create }).click()
      await expect(page.getByText(mounts.createdNotice)).toBeVisible()
      await expect(row(page, name)).toContainText(path)
      await expect(row(page, name)).toContainText(mounts.active)
      if (width > 1000) await expectAccessible(page, 'list of mounts')
      expect(await isWiderThanScreen(page)).toBe(false)

      const act = (button: string) =>
        row(page, name)
          .getByRole('button', { name: say(button, { name }) })
          .click()
      const isInExplorer = async () => {
        await page.goto('/mount-explorer')
        await expect(page.getByRole('main').getByText('local', { exact: true }).first()).toBeVisible()
        return (await page.getByRole('main').getByText(`papers-${width}`).count()) > 0
      }
      await act(mounts.disableOf)
      await expect(row(page, name)).toContainText(mounts.inactive)
      expect(await isInExplorer()).toBe(false)
      await open(page)
      await act(mounts.enableOf)
      await expect(row(page, name).getByText(mounts.active, { exact: true })).toBeVisible()
      expect(await isInExplorer()).toBe(true)

      await open(page)
      const indexOf = async () =>
        (await admin.call(searchRoutes.indexes)).data.find((one) => one.name === 'Local disk')
      await expect.poll(async () => (await indexOf())?.state).toBe('done')
      const before = await indexOf()
      await act(mounts.indexNowOf)
      await expect.poll(async () => (await indexOf())?.startedAt).not.toBe(before?.startedAt)
      // Both the row and the live region show the result, and the focus stays on the button.
      await expect(
        row(page, name).getByText(new RegExp(mounts.index.done_other.replaceAll(/\{\{\w+\}\}/g, '.+'))),
      ).toHaveCount(2)
      await expect(
        row(page, name).getByRole('button', { name: say(mounts.indexNowOf, { name }) }),
      ).toBeFocused()

      await act(mounts.editOf)
      await expect(field(page, mounts.path)).toHaveValue(path)
      await expect(field(page, mounts.remark)).toHaveValue('for the team')
      await field(page, mounts.cacheTtl).fill('0')
      await dialog(page).locator('button[type=submit]').click()
      await expect(row(page, name)).toContainText(mounts.notCached)

      await page.getByRole('searchbox').fill('THE TEAM')
      await expect(page.getByRole('listitem')).toHaveCount(1)
      await act(mounts.deleteOf)
      await expect(dialog(page)).toContainText(path)
      await expect(dialog(page)).toContainText(disk)
      if (width < 1000) await expectAccessible(page, 'deletion of a mount')
      await dialog(page).getByRole('button', { name: mounts.delete }).click()
      await expect(page.getByText(words.table.noMatch)).toBeVisible()
      const { data: left } = await admin.call(mountRoutes.adminList)
      expect(left.map((mount) => mount.name)).not.toContain(name)
      expect(left.map((mount) => mount.mount_path)).toContain('/local')
    })

    test('each rule is shown at its field, and typed text stays after an error', async ({
      adminPage: page,
    }) => {
      const { problems } = mounts
      await open(page)
      await page.getByRole('button', { name: mounts.create }).click()
      const save = dialog(page).getByRole('button', { name: mounts.create })
      await save.click()
      await expect(dialog(page).getByText(problems.name.missing)).toBeVisible()
      await expect(dialog(page).getByText(problems.path.root)).toBeVisible()
      await expect(field(page, mounts.name)).toBeFocused()
      const reserved = (segment: string) => say(problems.path.reserved, { segment })
      const cases: readonly (readonly [label: string, value: string, message: string])[] = [
        [mounts.name, 'x'.repeat(51), problems.name.tooLong],
        [mounts.path, '', problems.path.missing],
        [mounts.path, 'photos', problems.path.noSlash],
        [mounts.path, '/photos/', problems.path.trailingSlash],
        [mounts.path, '/photos//2026', problems.path.doubleSlash],
        [mounts.path, `/${'x'.repeat(100)}`, problems.path.tooLong],
        [mounts.path, '/my photos', problems.path.characters],
        [mounts.path, '/etc', reserved('etc')],
        [mounts.path, '/api/files', reserved('api')],
        [mounts.cacheTtl, '-1', problems.cacheTtl.notSeconds],
        [mounts.cacheTtl, '86401', problems.cacheTtl.notSeconds],
        [mounts.cacheTtl, '1.5', problems.cacheTtl.notSeconds],
        [mounts.sortOrder, 'first', say(problems.sortOrder.notWhole, { max: SORT_ORDER_LIMIT })],
        [mounts.sortOrder, '9999999999', say(problems.sortOrder.notWhole, { max: SORT_ORDER_LIMIT })],
        [mounts.remark, 'x'.repeat(501), problems.remark.tooLong],
      ]
      for (const [label, value, message] of cases) {
        await field(page, label).fill(value)
        await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
        await expect(dialog(page).getByText(message, { exact: true })).toBeVisible()
      }
      if (width < 1000) await expectAccessible(page, 'form of a mount with errors')
      await field(page, mounts.name).fill('Taken')
      await field(page, mounts.remark).fill('kept')
      await field(page, mounts.cacheTtl).fill('86400')
      await field(page, mounts.sortOrder).fill('-5')
      await field(page, mounts.path).fill('/local')
      await expect(dialog(page).locator('[aria-invalid=true]')).toHaveCount(0)
      await save.click()
      // The server reports that the path is already taken.
      await expect(field(page, mounts.path)).toHaveAttribute('aria-invalid', 'true')
      await expect(field(page, mounts.name)).toHaveValue('Taken')
      await expect(field(page, mounts.remark)).toHaveValue('kept')
      expect(await isWiderThanScreen(page)).toBe(false)
    })

    test('the holder of a key sees their mounts and can only open them', async ({ page, admin }) => {
      const mine = await makeMount(admin, { name: `Mine ${width}`, path: `/mine-${width}` })
      const other = await makeMount(admin, { name: `Other ${width}`, path: `/other-${width}` })
      const { data: key } = await admin.call(apiKeyRoutes.create, {
        body: {
          name: `Reader ${width}`,
          expires_at: 'never',
          text_permission: false,
          file_permission: false,
          mount_permission: true,
          mount_read_only: true,
          basic_path: mine.mount_path,
        },
      })
      await page.goto('/admin/mount-management')
      await page.getByText(auth.keyMode, { exact: true }).click()
      await page.getByRole('textbox', { name: auth.apiKey }).fill(key.key)
      await page.getByRole('main').getByRole('button', { name: auth.submit }).click()
      await expect(row(page, mine.name)).toContainText(mine.mount_path)
      await expect(row(page, mine.name)).toContainText(mounts.readOnly)
      await expect(page.getByText(other.name)).toHaveCount(0)
      await expect(page.getByRole('button', { name: mounts.create })).toHaveCount(0)
      await expect(row(page, mine.name).getByRole('button')).toHaveCount(0)
      expect(await isWiderThanScreen(page)).toBe(false)
      await row(page, mine.name)
        .getByRole('link', { name: say(mounts.openOf, { name: mine.name }) })
        .click()
      await expect(page).toHaveURL(new RegExp(`/mount-explorer/mine-${width}$`))
      for (const { id } of [mine, other]) await removeMount(admin, id)
    })

    if (width < 1000) return
    test('buttons and dragging change the order', async ({ adminPage: page, admin }) => {
      const made = []
      for (const [index, letter] of ['A', 'B', 'C'].entries())
        made.push(
          await makeMount(admin, {
            name: `Order ${letter} ${width}`,
            path: `/order-${letter}-${width}`,
            order: 1000 + index,
          }),
        )
      const names = page.getByRole('heading', { level: 2, name: /^Order/ })
      const letters = (text: string) => [...text].map((letter) => `Order ${letter} ${width}`)
      const kept = async () => {
        const { data } = await admin.call(mountRoutes.adminList)
        return data.map(({ name }) => name).filter((name) => name.startsWith('Order'))
      }
      await open(page)
      await expect(names).toHaveText(letters('ABC'))
      const last = made[2]?.name ?? ''
      const up = page.getByRole('button', { name: say(mounts.upOf, { name: last }) })
      await up.focus()
      await page.keyboard.press('Enter')
      await expect(names).toHaveText(letters('ACB'))
      await expect(up).toBeFocused()
      await expect.poll(kept).toEqual(letters('ACB'))
      const grip = (name: string): Locator => page.getByTitle(say(mounts.drag, { name }))
      await grip(`Order B ${width}`).scrollIntoViewIfNeeded()
      const from = await grip(`Order A ${width}`).boundingBox()
      const to = await grip(`Order B ${width}`).boundingBox()
      if (!from || !to) throw new Error('No grips.')
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
      await page.mouse.down()
      await page.mouse.move(to.x + to.width / 2, to.y + to.height, { steps: 5 })
      await page.mouse.up()
      await expect(names).toHaveText(letters('CBA'))
      await expect.poll(kept).toEqual(letters('CBA'))
      await page.reload()
      await expect(names).toHaveText(letters('CBA'))
      for (const { id } of made) await removeMount(admin, id)
    })
  })
}
