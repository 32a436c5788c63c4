import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundleRoutes, type OwnManifest, shareRoutes, storageConfigRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Locale } from '../apps/web/src/locales/zh-CN/index.ts'
import { expectAccessible } from './support/accessible.ts'
import type { Api } from './support/api.ts'
import { hasBuckets, mountBucket } from './support/bucket.ts'
import { expect, test } from './support/explorer.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { bytesOf, holdLine, MIB, watchSent } from './support/uploading.ts'
import { inOppositeWorlds, say } from './support/worlds.ts'

/** Tests bundles of several files, created on the upload page, on the home page, and in the explorer. */

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

async function onDisk(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-bundle-'))
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
  return folder
}

async function bundleOf(admin: Api, slug: string) {
  return (await admin.call(bundleRoutes.detail, { params: { id: slug } })).data
}

const pathsIn = (manifest: OwnManifest | null) => manifest?.items.map(({ path }) => path).toSorted()

const rowOf = (page: Page) => page.locator('li[data-status]').first()
const start = (page: Page, words: Locale) =>
  page.getByRole('button', { name: words.files.upload.start, exact: true }).click()
const setSlug = (page: Page, words: Locale, slug: string) =>
  page.getByLabel(words.common.slug.label, { exact: true }).fill(slug)

async function chooseFolder(page: Page, words: Locale, folder: string) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: words.bundling.folder, exact: true }).click()
  await (await choosing).setFiles(folder)
}

async function reload(page: Page) {
  page.once('dialog', (leaving) => void leaving.accept())
  await page.reload()
}

/** Drops or pastes files. Files whose names end in `.png` are pictures. */
const give = (page: Page, type: 'drop' | 'paste', names: readonly string[], selector = 'body') =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (element, { kind, all, picture }) => {
        const transfer = new DataTransfer()
        const bytes = Uint8Array.from(atob(picture), (sign) => sign.codePointAt(0) ?? 0)
        for (const name of all)
          transfer.items.add(new File([name.endsWith('.png') ? bytes : `content of ${name}`], name))
        const options = { bubbles: true, cancelable: true }
        element.dispatchEvent(
          kind === 'drop'
            ? new DragEvent('drop', { ...options, dataTransfer: transfer })
            : new ClipboardEvent('paste', { ...options, clipboardData: transfer }),
        )
      },
      { kind: type, all: names, picture: PICTURE },
    )

inOppositeWorlds((world) => {
  const isBucket = world.storage === 'bucket'
  const mark = `bm-${world.language.slice(0, 2)}`
  test.skip(() => isBucket && !hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')

  async function openUploadPage(page: Page, admin: Api, words: Locale) {
    const name = `/bundles-${mark}`
    if (isBucket) {
      const { data } = await admin.call(storageConfigRoutes.list)
      if (!data.some((config) => config.name === `Bucket ${name}`)) await mountBucket(admin, name)
    }
    await page.goto('/upload')
    if (!isBucket) return
    const { data } = await admin.call(storageConfigRoutes.list)
    const id = data.find((config) => config.name === `Bucket ${name}`)?.id ?? ''
    await page.getByLabel(words.files.upload.storage, { exact: true }).selectOption(id)
  }

  test('a folder becomes one link with its tree; large files go in parts', async ({
    adminPage: page,
    admin,
    server: { origin },
    words,
  }) => {
    await openUploadPage(page, admin, words)
    const folder = await onDisk({
      'trip/plan.txt': 'the plan',
      'trip/days/one.txt': 'one',
      'trip/film.bin': bytesOf(17 * MIB, mark),
    })
    await chooseFolder(page, words, join(folder, 'trip'))
    await expect(page.getByRole('radio', { name: words.bundling.links.one })).toBeChecked()
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'files for one link')
    await setSlug(page, words, `${mark}-trip`)
    await page.getByLabel(words.common.password.label, { exact: true }).fill('for friends')
    const sent = watchSent(page)
    await start(page, words)
    const row = rowOf(page)
    await expect(row).toHaveAttribute('data-status', 'success')
    await expect(row.getByRole('link')).toHaveText(`${origin}/s/${mark}-trip`)
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'a finished bundle')
    const { manifest, has_password: hasPassword, title } = await bundleOf(admin, `${mark}-trip`)
    expect(pathsIn(manifest)).toEqual(['trip/days/one.txt', 'trip/film.bin', 'trip/plan.txt'])
    expect([hasPassword, title]).toEqual([true, 'trip'])
    const { host } = new URL(origin)
    expect(
      sent.filter((one) => (isBucket ? one.host !== host : one.path.includes('/storage/'))),
    ).toHaveLength(4)
  })

  test('a reload in the middle asks for the files again, and sends only what is missing', async ({
    adminPage: page,
    admin,
    words,
  }) => {
    await openUploadPage(page, admin, words)
    const folder = await onDisk({ 'a.txt': 'a', 'b.txt': 'b', 'c.bin': bytesOf(20 * MIB, `${mark} c`) })
    const paths = ['a.txt', 'b.txt', 'c.bin'].map((name) => join(folder, name))
    const line = await holdLine(page)
    line.left = 3
    await page.locator('label input[type=file]').setInputFiles(paths)
    await setSlug(page, words, `${mark}-again`)
    await start(page, words)
    const row = rowOf(page)
    const { filesDone, state } = words.bundling.row
    await expect(row).toContainText(say(filesDone, { done: 2, total: 3 }))
    await reload(page)
    await expect(row).toContainText(state.needsFiles)
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'an unfinished bundle')
    const sent = watchSent(page)
    line.left = Number.POSITIVE_INFINITY
    await row.locator('input[type=file]').first().setInputFiles(paths)
    await expect(row).toHaveAttribute('data-status', 'success')
    expect(sent.length).toBeLessThan(5)
    expect(pathsIn((await bundleOf(admin, `${mark}-again`)).manifest)).toEqual(['a.txt', 'b.txt', 'c.bin'])
  })

  test('names that cannot be together are changed; a failed file is left out', async ({
    adminPage: page,
    admin,
    words,
  }) => {
    await page.goto('/upload')
    await expect(page.locator('label input[type=file]')).toBeAttached()
    await give(page, 'drop', ['a.txt', 'A.txt', 'b.txt'])
    const fix = page.getByRole('button', { name: words.bundling.names.fixAll, exact: true })
    await expect(fix).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'names to change')
    await setSlug(page, words, `${mark}-names`)
    await start(page, words)
    await expect(fix).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(fix).toHaveCount(0)
    await page.route('**/objects/2?*', (route) =>
      route.fulfill({ status: 413, json: { error: { code: 'file.too_large', requestId: '' } } }),
    )
    await start(page, words)
    const row = rowOf(page)
    await expect(row).toContainText(words.bundling.row.state.stuck)
    await expectAccessible(page, 'a bundle with a failed file')
    expect(await isWiderThanScreen(page)).toBe(false)
    await row.getByRole('button', { name: words.bundling.row.leaveOutFailed, exact: true }).press('Enter')
    await expect(row).toHaveAttribute('data-status', 'success')
    const { manifest } = await bundleOf(admin, `${mark}-names`)
    expect(pathsIn(manifest)).toEqual(['A (2).txt', 'a.txt'])
  })

  test('files that are dropped on the home page go into the link of the text', async ({
    adminPage: page,
    admin,
    words,
    press,
  }) => {
    const { home, files, bundling } = words
    await page.goto('/')
    const field = page.getByRole('textbox', { name: home.editor })
    await expect(page.getByRole('toolbar', { name: words.editor.tools })).toBeVisible()
    await field.click()
    await page.keyboard.type('our trip')
    await page.keyboard.press('Enter')
    await give(page, 'drop', ['lake view.png', 'plan.pdf'])
    const list = page.getByRole('region', { name: files.here.title })
    await expect(list.getByRole('radio', { name: bundling.home.same })).toBeChecked()
    await press(list.getByRole('button', { name: say(bundling.home.insertOne, { name: 'lake view.png' }) }))
    await expect(field).toContainText('![lake view.png](lake%20view.png)')
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'files with a text')
    await setSlug(page, words, `${mark}-home`)
    await press(page.getByRole('button', { name: home.submit, exact: true }))
    const result = page.getByRole('region', { name: home.result.title })
    await expect(result.getByRole('link')).toHaveText(new RegExp(`/s/${mark}-home$`))
    await expect(list).toHaveCount(0)
    await expect(field).not.toContainText('our trip')
    const { manifest } = await bundleOf(admin, `${mark}-home`)
    expect(manifest?.page?.text).toBe('our trip\n![lake view.png](lake%20view.png)')
    expect(pathsIn(manifest)).toEqual(['lake view.png', 'plan.pdf'])
  })

  test('a taken link suffix is shown at its field, and nothing is lost', async ({
    adminPage: page,
    admin,
    words,
    press,
  }) => {
    await admin.call(bundleRoutes.create, { body: { slug: `${mark}-taken` } })
    await page.goto('/')
    await expect(page.getByRole('toolbar', { name: words.editor.tools })).toBeVisible()
    await give(page, 'paste', ['image.png'], '.cm-content')
    const list = page.getByRole('region', { name: words.files.here.title })
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await setSlug(page, words, `${mark}-taken`)
    const submit = page.getByRole('button', { name: words.home.submit, exact: true })
    await press(submit)
    const slug = page.getByLabel(words.common.slug.label, { exact: true })
    await expect(slug).toBeFocused()
    await slug.fill(`${mark}-free`)
    await press(submit)
    await expect(page.getByRole('region', { name: words.home.result.title })).toBeVisible()
    expect((await bundleOf(admin, `${mark}-free`)).item_count).toBe(1)
  })

  test('a folder and marked entries are shared where they are', async ({
    adminPage: page,
    admin,
    explorer,
    place,
    words,
  }) => {
    await place.put({ 'deep/': '', 'deep/inside.txt': 'inside', 'note.txt': 'note' })
    await page.goto(place.address)
    await explorer.openMenu('deep')
    await explorer.item(words.explorer.command.share).click()
    await expect(explorer.dialog).toContainText(words.bundling.places.live)
    await expectAccessible(page, 'sharing a folder')
    await explorer.dialog.getByLabel(words.common.slug.label, { exact: true }).fill(`${mark}-deep`)
    await explorer.answer(words.files.shareHere.submit)
    await expect(explorer.title).toHaveText(say(words.bundling.places.done, { name: 'deep' }))
    await expectAccessible(page, 'the link of a folder')
    const { manifest } = await bundleOf(admin, `${mark}-deep`)
    expect(manifest?.items).toEqual([
      { path: 'deep', source: { folder: { path: expect.stringContaining('deep') } } },
    ])
    const { data } = await admin.call(shareRoutes.list, {
      query: {
        kind: 'bundle',
        search: null,
        created_by: null,
        sort: null,
        order: null,
        limit: 50,
        offset: 0,
      },
    } as never)
    expect(data.shares.map(({ slug }) => slug)).toContain(`${mark}-deep`)
  })
})
