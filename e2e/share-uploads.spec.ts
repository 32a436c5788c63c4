import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filePartRoutes, fileRoutes, storageConfigRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Locale } from '../apps/web/src/locales/zh-CN/index.ts'
import type { Api } from './support/api.ts'
import { expectAccessible } from './support/accessible.ts'
import { hasBuckets, makeBucket, mountBucket } from './support/bucket.ts'
import { isWiderThanScreen } from './support/pages.ts'
import {
  bytesOf,
  hashOf,
  holdLine,
  MIB,
  patternOf,
  payload,
  wantLinkEach,
  watchSent,
} from './support/uploading.ts'
import { expect, inOppositeWorlds, say, test } from './support/worlds.ts'

/** Tests uploads of the upload page and of the home page. */

const rowOf = (page: Page, name: string) => page.locator('li[data-status]').filter({ hasText: name })

async function hashOfShare(origin: string, slug: string): Promise<string> {
  const answer = await fetch(`${origin}/api/file-download/${slug}`)
  return hashOf(new Uint8Array(await answer.arrayBuffer()))
}

/** Writes a file to the disk, because a file that is chosen again must have the same modification time. */
async function onDisk(name: string, bytes: Buffer): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'dropleaf-shares-')), name)
  await writeFile(path, bytes)
  return path
}

const choose = (page: Page, paths: readonly string[]) =>
  page.locator('label input[type=file]').setInputFiles([...paths])
const start = (page: Page, words: Locale) =>
  page.getByRole('button', { name: words.files.upload.start, exact: true }).click()
const setSlug = (page: Page, words: Locale, slug: string) =>
  page.getByLabel(words.common.slug.label, { exact: true }).fill(slug)

async function reload(page: Page) {
  page.once('dialog', (leaving) => void leaving.accept())
  await page.reload()
}

/** Creates a storage in a new bucket. @returns its id */
async function newBucket(admin: Api, name: string, hasCors: boolean): Promise<string> {
  if (hasCors) return (await mountBucket(admin, name)).configId
  const { endpoint, accessKeyId, secretAccessKey, bucket } = await makeBucket()
  const { data } = await admin.call(storageConfigRoutes.create, {
    body: {
      name,
      provider_type: 'Other',
      endpoint_url: endpoint,
      bucket_name: bucket,
      access_key_id: accessKeyId,
      secret_access_key: secretAccessKey,
      path_style: true,
      region: '',
      default_folder: '',
      custom_host: null,
      is_public: true,
      total_storage_bytes: 1024 ** 4,
    },
  })
  return data.id
}

const dispatchFiles = (page: Page, type: 'drop' | 'paste', names: readonly string[], selector = 'body') =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (element, { kind, all }) => {
        const transfer = new DataTransfer()
        for (const name of all) transfer.items.add(new File([`content of ${name}`], name))
        const options = { bubbles: true, cancelable: true }
        element.dispatchEvent(
          kind === 'drop'
            ? new DragEvent('drop', { ...options, dataTransfer: transfer })
            : new ClipboardEvent('paste', { ...options, clipboardData: transfer }),
        )
      },
      { kind: type, all: names },
    )

/**
 * Makes files whose name starts with `huge` appear to be 6 TiB large. Lists two storages: one at Cloudflare R2, where
 * objects of this size are too large, and one at AWS S3, where they are not.
 */
async function pretendHuge(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(File.prototype, 'size', {
      get(this: File) {
        return this.name.startsWith('huge') ? 6 * 1024 ** 4 : Reflect.get(Blob.prototype, 'size', this)
      },
    })
  })
  await page.route('**/api/system/max-upload-size', (route) =>
    route.fulfill({ json: { code: 200, message: '', success: true, data: { max_upload_size: 10 * MIB } } }),
  )
  await page.route('**/api/s3-configs', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: Array<{ is_default: number }> }
    const disk = body.data.find(({ is_default: isDefault }) => isDefault === 1)
    const data = [
      { ...disk, provider_type: 'Cloudflare R2', name: 'Small objects' },
      { ...disk, id: 'other', is_default: 0, provider_type: 'AWS S3', name: 'Large objects' },
    ]
    await route.fulfill({ response: answer, json: { ...body, data } })
  })
}

inOppositeWorlds((world) => {
  const isBucket = world.storage === 'bucket'
  const mark = `su-${world.language.slice(0, 2)}`
  test.skip(() => isBucket && !hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')

  async function openPage(page: Page, admin: Api, words: Locale) {
    await wantLinkEach(page)
    await page.goto('/upload')
    if (!isBucket) return
    const name = `/shares-${mark}`
    const { data } = await admin.call(storageConfigRoutes.list)
    const id =
      data.find((config) => config.name === `Bucket ${name}`)?.id ?? (await newBucket(admin, name, true))
    await page.reload()
    await page.getByLabel(words.files.upload.storage, { exact: true }).selectOption(id)
  }

  test('a large share is paused, resumed, and goes on after a reload with the same file', async ({
    adminPage: page,
    admin,
    server: { origin },
    words,
  }) => {
    const { upload } = words.files
    const bytes = bytesOf(27 * MIB, mark)
    const file = await onDisk('large.bin', bytes)
    await openPage(page, admin, words)
    const line = await holdLine(page)
    line.left = 2
    const sent = watchSent(page)
    await choose(page, [file])
    await setSlug(page, words, `${mark}-large`)
    await page.getByLabel(words.common.password.label, { exact: true }).fill('kept by the server')
    await start(page, words)
    const row = rowOf(page, 'large.bin')
    const arrived = async () => Number(await row.getByRole('progressbar').getAttribute('value')) * 27
    await expect.poll(arrived).toBeGreaterThanOrEqual(10)
    await row.getByRole('button', { name: say(words.tasks.pause, { name: 'large.bin' }) }).click()
    await expect(row).toHaveAttribute('data-status', 'paused')
    await expect(row).toContainText(upload.status.paused)
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'a paused share')
    line.left = 1
    await row.getByRole('button', { name: say(words.tasks.resume, { name: 'large.bin' }) }).click()
    await expect.poll(arrived).toBeGreaterThanOrEqual(15)

    await reload(page)
    await expect(row).toContainText(words.tasks.state.needsFile)
    expect(await isWiderThanScreen(page)).toBe(false)
    const field = row.locator('input[type=file]')
    await field.setInputFiles(payload('large.bin', 'another'))
    await expect(row.getByRole('alert')).toHaveText(words.tasks.errors.source_changed)
    sent.length = 0
    line.left = Number.POSITIVE_INFINITY
    const joining = Promise.withResolvers<void>()
    await page.route(`**${filePartRoutes.complete.path}`, async (route) => {
      await joining.promise
      await route.continue()
    })
    // Choosing the file has the same effect as dropping it.
    await choose(page, [file])
    await expect(row).toContainText(upload.stage.joining)
    joining.resolve()
    await expect(row).toHaveAttribute('data-status', 'success')
    expect(sent).toHaveLength(3)
    const hosts = new Set(sent.map(({ host }) => host === new URL(origin).host))
    expect([...hosts]).toEqual([!isBucket])
    const { data } = await admin.call(fileRoutes.adminList, {
      query: { limit: 50, offset: 0, created_by: null, s3_config_id: null },
    })
    const share = data.files.find(({ slug }) => slug === `${mark}-large`)
    expect(share).toMatchObject({ size: bytes.length, has_password: true })
    const read = await fetch(`${origin}/api/file-download/${mark}-large?password=kept+by+the+server`)
    expect(hashOf(new Uint8Array(await read.arrayBuffer()))).toBe(hashOf(bytes))
  })

  test('files of which nothing was sent are asked for after a reload', async ({
    adminPage: page,
    admin,
    words,
  }) => {
    const { upload } = words.files
    await openPage(page, admin, words)
    const line = await holdLine(page)
    line.state = 'hold'
    const paths = [await onDisk('one.txt', Buffer.from('1')), await onDisk('two.txt', Buffer.from('2'))]
    await choose(page, paths)
    await start(page, words)
    await expect(rowOf(page, 'two.txt')).toHaveAttribute('data-status', 'uploading')
    await reload(page)
    for (const name of ['one.txt', 'two.txt'])
      await expect(rowOf(page, name)).toContainText(words.tasks.state.needsFile)
    expect(await isWiderThanScreen(page)).toBe(false)
    line.state = 'open'
    await rowOf(page, 'two.txt')
      .getByRole('button', { name: say(upload.removeOne, { name: 'two.txt' }) })
      .click()
    await expect(page.getByRole('button', { name: upload.start, exact: true })).toBeDisabled()
    const field = rowOf(page, 'one.txt').locator('input[type=file]')
    await field.setInputFiles(payload('one.txt', 'another'))
    await expect(rowOf(page, 'one.txt').getByRole('alert')).toHaveText(words.tasks.errors.source_changed)
    await field.setInputFiles(paths[0] ?? '')
    await start(page, words)
    await expect(rowOf(page, 'one.txt')).toHaveAttribute('data-status', 'success')
  })

  test('a file that is larger than the storage takes is told of in its row, and is not started', async ({
    adminPage: page,
    words,
    press,
  }) => {
    const { files } = words
    await pretendHuge(page)
    await page.goto('/upload')
    const storage = page.getByLabel(files.upload.storage, { exact: true })
    await expect(storage).toContainText('Small objects')
    const slug = `${mark}-beside-huge`
    await choose(page, [
      await onDisk('huge.iso', Buffer.from('x')),
      await onDisk('small.txt', Buffer.from('y')),
    ])
    const row = rowOf(page, 'huge.iso')
    const reason = files.upload.largest.storage.split('{{limit}}')[0]?.trim() ?? ''
    await expect(row).toContainText(files.upload.status.tooLarge)
    await expect(row.getByRole('alert')).toContainText(reason)
    await expect(row.getByRole('alert')).toContainText('4.99 TB')
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'a file that is too large')
    await storage.selectOption('other')
    await expect(row).toContainText(files.upload.status.pending)
    await expect(row.getByRole('alert')).toHaveCount(0)
    await storage.selectOption({ index: 0 })
    await setSlug(page, words, slug)
    await start(page, words)
    await expect(rowOf(page, 'small.txt')).toHaveAttribute('data-status', 'success')
    await expect(rowOf(page, 'small.txt')).toContainText(`/file/${slug}`)
    await expect(row).toContainText(files.upload.status.tooLarge)
    await expect(page.getByRole('button', { name: files.upload.start, exact: true })).toBeDisabled()

    await wantLinkEach(page)
    await page.goto('/')
    await expect(page.getByRole('toolbar', { name: words.editor.tools })).toBeVisible()
    await dispatchFiles(page, 'drop', ['huge.zip', 'light.pdf'])
    const list = page.getByRole('region', { name: files.here.title })
    await expect(rowOf(page, 'light.pdf')).toHaveAttribute('data-status', 'success')
    await expect(rowOf(page, 'huge.zip')).toContainText(files.upload.status.tooLarge)
    await expect(rowOf(page, 'huge.zip').getByRole('alert')).toContainText(reason)
    expect(await isWiderThanScreen(page)).toBe(false)
    await press(list.getByRole('button', { name: say(files.upload.removeOne, { name: 'huge.zip' }) }))
    await expect(list.getByRole('listitem')).toHaveCount(1)
  })

  test('files that are dropped or pasted on the home page become links beside the untouched text', async ({
    adminPage: page,
    words,
    press,
    context,
  }) => {
    const { files, home } = words
    await wantLinkEach(page)
    await page.goto('/')
    const field = page.getByRole('textbox', { name: home.editor })
    await expect(page.getByRole('toolbar', { name: words.editor.tools })).toBeVisible()
    await field.click()
    await page.keyboard.type('the text stays')
    await dispatchFiles(page, 'drop', ['dropped.pdf'])
    const list = page.getByRole('region', { name: files.here.title })
    const row = list.getByRole('listitem').filter({ hasText: 'dropped.pdf' })
    await expect(row).toHaveAttribute('data-status', 'success')
    await dispatchFiles(page, 'paste', ['image.png'], '.cm-content')
    const pasted = list
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`${files.upload.pastedName}-\\d{8}`) })
    await expect(pasted).toHaveAttribute('data-status', 'success')
    await expect(field).toHaveText('the text stays')
    await expect(page).toHaveURL(/\/$/)
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'files on the home page')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(row.getByRole('button', { name: say(files.copyLinkOf, { name: 'dropped.pdf' }) }))
    const link = (await row.getByRole('link').textContent()) ?? ''
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link)
    const { status } = await fetch(link.replace('/file/', '/api/file-download/'))
    expect(status).toBe(200)

    await press(row.getByRole('button', { name: say(files.here.insertOne, { name: 'dropped.pdf' }) }))
    await expect(field).toContainText(`[dropped.pdf](${link})`)
    // The editor itself accepts a text file, so no upload starts.
    await dispatchFiles(page, 'drop', ['note.md'], '.cm-content')
    await page.getByRole('dialog').getByRole('button', { name: words.editor.import.insert }).click()
    await expect(field).toContainText('content of note.md')
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await press(list.getByRole('button', { name: files.upload.clear }))
    await expect(list).toHaveCount(0)
  })
})

test('a storage with too little room says so before the start', async ({ adminPage: page, admin, words }) => {
  const { data } = await admin.call(storageConfigRoutes.list)
  const disk = data.find(({ is_default: isDefault }) => isDefault === 1)
  const limitTo = (total: number | null) =>
    admin.call(storageConfigRoutes.update, {
      params: { id: disk?.id ?? '' },
      body: { total_storage_bytes: total, access_key_id: null, secret_access_key: null },
    })
  await limitTo(1)
  try {
    await page.goto('/upload')
    await choose(page, [await onDisk('much.bin', bytesOf(2 * MIB, 'much'))])
    await expect(page.getByText(patternOf(words.files.upload.shortRoom))).toBeVisible()
    await start(page, words)
    await expect(rowOf(page, 'much.bin').getByRole('alert')).toContainText('2')
  } finally {
    await limitTo(disk?.total_storage_bytes ?? null)
  }
})

test('a file with a kept handle goes on with one click after a reload', async ({
  adminPage: page,
  server: { origin },
  words,
}) => {
  const bytes = bytesOf(17 * MIB, 'handle')
  await page.addInitScript(() => {
    const showOpenFilePicker = async () => {
      const root = await navigator.storage.getDirectory()
      return [await root.getFileHandle('kept.bin')]
    }
    Object.assign(window, { showOpenFilePicker })
  })
  await page.goto('/upload')
  await page.evaluate(async (numbers) => {
    const root = await navigator.storage.getDirectory()
    const writable = await (await root.getFileHandle('kept.bin', { create: true })).createWritable()
    await writable.write(Uint8Array.from(atob(numbers), (letter) => letter.codePointAt(0) ?? 0))
    await writable.close()
  }, bytes.toString('base64'))
  const line = await holdLine(page)
  line.left = 1
  await page.locator('label').filter({ hasText: words.files.upload.drop }).click()
  await setSlug(page, words, 'kept-handle')
  await start(page, words)
  const row = rowOf(page, 'kept.bin')
  await expect
    .poll(async () => Number(await row.getByRole('progressbar').getAttribute('value')))
    .toBeGreaterThan(0.05)
  await reload(page)
  line.left = Number.POSITIVE_INFINITY
  await row.getByRole('button', { name: say(words.tasks.continueFile, { name: 'kept.bin' }) }).click()
  await expect(row).toHaveAttribute('data-status', 'success')
  expect(await hashOfShare(origin, 'kept-handle')).toBe(hashOf(bytes))
})

test('files of every size go through the server where the bucket does not let the browser in', async ({
  adminPage: page,
  admin,
  server: { origin },
  words,
}) => {
  test.skip(!hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')
  const id = await newBucket(admin, 'No CORS', false)
  await wantLinkEach(page)
  await page.goto('/upload')
  await page.getByLabel(words.files.upload.storage, { exact: true }).selectOption(id)
  const sent = watchSent(page)
  const files = {
    'none.bin': Buffer.alloc(0),
    'small.bin': bytesOf(7 * MIB, 'small'),
    'large.bin': bytesOf(17 * MIB, 'l'),
  }
  await choose(page, await Promise.all(Object.entries(files).map(([name, bytes]) => onDisk(name, bytes))))
  await setSlug(page, words, 'relayed')
  await start(page, words)
  for (const name of Object.keys(files))
    await expect(rowOf(page, name)).toHaveAttribute('data-status', 'success')
  const { host } = new URL(origin)
  const relayed = sent.filter((request) => request.host === host)
  expect(relayed).toHaveLength(1 + 2 + 4)
  for (const [index, bytes] of Object.values(files).entries())
    expect(await hashOfShare(origin, `relayed-${index + 1}`)).toBe(hashOf(bytes))
})
