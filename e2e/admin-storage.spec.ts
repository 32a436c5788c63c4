import { fileRoutes, mountRoutes, storageConfigRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { adminWords as english } from '../apps/web/src/locales/en-US/admin/index.ts'
import { adminWords as chinese } from '../apps/web/src/locales/zh-CN/admin/index.ts'
import { expectAccessible } from './support/accessible.ts'
import { hasBuckets, makeBucket } from './support/bucket.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, test } from './support/test.ts'
import { inTurn, say } from './support/worlds.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

for (const { language, words, disk, width } of inTurn('storage', [
  { language: 'en-US', words: english.storages, disk: 'Local disk', width: 1280 },
  { language: 'zh-CN', words: chinese.storages, disk: '本地磁盘', width: 360 },
])) {
  const { testing, problems } = words
  const open = async (page: Page) => {
    await page.goto('/admin/storage-config')
    await expect(card(page, disk)).toBeVisible()
  }
  const press = (page: Page, name: string, button: string) =>
    card(page, name)
      .getByRole('button', { name: say(button, { name }) })
      .click()
  const closeDialog = async (page: Page) => {
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
  }

  test.describe(`storage in ${language}, ${width} px wide`, () => {
    test.use({ viewport: { width, height: 800 }, locale: language })

    test('the first storage has a name in the reader’s language until it is renamed', async ({
      adminPage: page,
      admin,
    }) => {
      const onServer = async () => {
        const { data } = await admin.call(storageConfigRoutes.list)
        return data.find(({ bucket_name: folder }) => folder === 'local')
      }
      const rename = async (from: string, to: string) => {
        await press(page, from, words.editOf)
        await expect(field(page, words.name)).toHaveValue(from)
        await field(page, words.name).fill(to)
        await dialog(page).locator('button[type=submit]').click()
        await expect(dialog(page)).toHaveCount(0)
        await expect(card(page, to)).toBeVisible()
      }
      await open(page)
      await page.getByRole('button', { name: words.create }).click()
      const oss = language === 'zh-CN' ? '阿里云 OSS' : 'Aliyun OSS'
      await expect(field(page, words.provider).locator('option', { hasText: 'OSS' })).toHaveText(oss)
      await closeDialog(page)
      await rename(disk, disk)
      expect((await onServer())?.name).toBe('Local disk')
      await rename(disk, `Disk ${width}`)
      expect((await onServer())?.name).toBe(`Disk ${width}`)
      const params = { id: (await onServer())?.id ?? '' }
      await admin.call(storageConfigRoutes.update, { params, body: { name: 'Local disk' } })
      await open(page)
    })

    test('a bucket is added, tested, repaired with one click, made the default, and deleted when unused', async ({
      adminPage: page,
      admin,
    }) => {
      test.skip(!hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')
      const bucket = await makeBucket()
      const name = `Gateway ${width}`
      await open(page)
      await page.getByRole('button', { name: words.create }).click()
      await field(page, words.name).fill(name)
      await field(page, words.provider).selectOption('Other')
      await field(page, words.endpoint).fill(`${bucket.endpoint}/`)
      await field(page, words.bucket).fill(bucket.bucket)
      await field(page, words.accessKeyId).fill(bucket.accessKeyId)
      await field(page, words.secretAccessKey).fill(bucket.secretAccessKey)
      await field(page, words.capacity).fill('1.5')
      await field(page, words.unit).selectOption('TB')
      await field(page, words.folder).fill('shares/2030')
      await expect(field(page, words.pathStyle)).toBeChecked()
      await dialog(page).getByRole('button', { name: words.create }).click()
      await expect(card(page, name)).toContainText('1.5 TB')
      const made = (await admin.call(storageConfigRoutes.list)).data.find((one) => one.name === name)
      expect(made).toMatchObject({
        endpoint_url: bucket.endpoint,
        default_folder: 'shares/2030',
        total_storage_bytes: 1.5 * 1024 ** 4,
        signature_expires_in: 3600,
        is_public: 0,
      })

      // The bucket has no CORS rule yet. The server reports this, and the test in the browser confirms it.
      await press(page, name, words.testOf)
      await expect(dialog(page).getByText(testing.verdicts.partly)).toBeVisible()
      await expect(dialog(page).getByText(testing.browserVerdicts.fails)).toBeVisible()
      await expect(dialog(page).getByText(testing.blocked)).toBeVisible()
      await expect(dialog(page)).toContainText(
        say(testing.finding, { severity: testing.severities.error, message: '' }),
      )
      await expect(dialog(page)).toContainText(`${testing.states.done} ${testing.checks.read}`)
      if (width > 1000) await expectAccessible(page, 'findings of a test')
      // For problems that the test cannot fix itself, the dialog leads to the form.
      await dialog(page).getByRole('button', { name: words.editTitle }).click()
      await expect(field(page, words.endpoint)).toHaveValue(bucket.endpoint)
      await closeDialog(page)
      await press(page, name, words.testOf)
      await expect(dialog(page).getByText(testing.verdicts.partly)).toBeVisible()
      await dialog(page).getByRole('button', { name: testing.fix }).click()
      await expect(dialog(page).getByText(testing.verdicts.works, { exact: true })).toBeVisible()
      await expect(dialog(page).getByText(testing.browserVerdicts.works)).toBeVisible()
      await expect(dialog(page).getByText(testing.etagSeen)).toBeVisible()
      await expect(dialog(page).getByRole('button', { name: testing.fix })).toHaveCount(0)
      expect(await isWiderThanScreen(page)).toBe(false)
      await closeDialog(page)
      await expect(card(page, name)).toContainText(testing.verdicts.works)
      // The connection tests leave no files behind.
      const { data: files } = await admin.call(fileRoutes.adminList, {
        query: { s3_config_id: made?.id ?? '', limit: 5, offset: 0 },
      })
      expect(files.files).toEqual([])

      await press(page, name, words.setDefaultOf)
      await expect(card(page, name).getByText(words.default, { exact: true })).toBeVisible()
      await press(page, disk, words.setDefaultOf)
      await expect(card(page, disk).getByText(words.default, { exact: true })).toBeVisible()

      // Blank credential fields keep the stored credentials.
      await press(page, name, words.editOf)
      await expect(field(page, words.secretAccessKey)).toHaveValue('')
      await expect(field(page, words.capacity)).toHaveValue('1.5')
      await field(page, words.isPublic).check()
      await dialog(page).locator('button[type=submit]').click()
      await expect(card(page, name)).toContainText(words.forKeys)

      const { data: mount } = await admin.call(mountRoutes.create, {
        body: {
          name: `On the gateway ${width}`,
          storage_type: 'S3',
          storage_config_id: made?.id ?? '',
          mount_path: `/on-gateway-${width}`,
          remark: null,
          sort_order: null,
          cache_ttl: null,
        },
      })
      await press(page, name, words.deleteOf)
      await expect(dialog(page)).toContainText(say(words.usedTitle, { name }))
      await expect(dialog(page)).toContainText(`/on-gateway-${width}`)
      await expect(dialog(page).getByRole('button', { name: words.delete, exact: true })).toHaveCount(0)
      await closeDialog(page)
      await admin.call(mountRoutes.remove, { params: { id: mount.id } })
      await press(page, name, words.deleteOf)
      await expect(dialog(page)).toContainText(bucket.bucket)
      if (width < 1000) await expectAccessible(page, 'deletion of a storage')
      await dialog(page).getByRole('button', { name: words.delete, exact: true }).click()
      await expect(card(page, name)).toHaveCount(0)
    })

    test('each field shows its error, and typed text stays after an error', async ({
      adminPage: page,
      admin,
    }) => {
      await open(page)
      if (width < 1000) await expectAccessible(page, 'storages')
      await page.getByRole('button', { name: words.create }).click()
      const save = dialog(page).getByRole('button', { name: words.create })
      await save.click()
      await expect(dialog(page).getByText(problems.name.missing)).toBeVisible()
      await expect(dialog(page).getByText(problems.endpoint.placeholder)).toBeVisible()
      const cases: readonly (readonly [label: string, value: string, message: string])[] = [
        [words.name, 'x'.repeat(51), problems.name.tooLong],
        [words.endpoint, '', problems.endpoint.missing],
        [words.endpoint, 's3.example.com', problems.endpoint.invalid],
        [words.bucket, 'a/b', problems.bucket.invalid],
        [words.capacity, 'ten', problems.amount.notANumber],
        [words.capacity, '0', problems.amount.tooSmall],
        [words.signature, '0', problems.signatureSeconds.notSeconds],
        [words.signature, '604801', problems.signatureSeconds.notSeconds],
        [words.folder, 'a/../b', problems.folder.invalid],
        [words.customHost, 'cdn', problems.customHost.invalid],
      ]
      for (const [label, value, message] of cases) {
        await field(page, label).fill(value)
        await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
        await expect(dialog(page).getByText(message, { exact: true }).first()).toBeVisible()
      }
      if (width > 1000) await expectAccessible(page, 'form of a storage with errors')
      await field(page, words.provider).selectOption('Local disk')
      await expect(dialog(page).getByLabel(words.endpoint, { exact: true })).toHaveCount(0)
      await field(page, words.name).fill(`Shelf ${width}`)
      await field(page, words.diskFolder).fill('a:b')
      await expect(dialog(page).getByText(problems.bucket.noFolderName)).toBeVisible()
      await field(page, words.diskFolder).fill('local')
      await field(page, words.capacity).fill('')
      await field(page, words.signature).fill('60')
      await field(page, words.folder).fill('kept')
      await save.click()
      // The server reports that another storage uses the folder.
      await expect(field(page, words.diskFolder)).toHaveAttribute('aria-invalid', 'true')
      await expect(field(page, words.folder)).toHaveValue('kept')
      await field(page, words.diskFolder).fill(`shelf-${width}`)
      await save.click()
      await expect(card(page, `Shelf ${width}`)).toContainText(words.unlimited)

      await press(page, `Shelf ${width}`, words.testOf)
      await expect(dialog(page).getByText(testing.verdicts.works, { exact: true })).toBeVisible()
      await expect(dialog(page).getByText(testing.browserVerdicts.works)).toBeVisible()
      await closeDialog(page)
      expect(await isWiderThanScreen(page)).toBe(false)
      const made = (await admin.call(storageConfigRoutes.list)).data.find(
        (one) => one.name === `Shelf ${width}`,
      )
      await admin.call(storageConfigRoutes.remove, { params: { id: made?.id ?? '' } })
    })
  })
}
