import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fsFileRoutes, fsListingRoutes, fsUploadRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Api } from './support/api.ts'
import { expect, test } from './support/test.ts'

const MIB = 1024 * 1024
const FILES = 120

/** Bytes that do not repeat, the same for the same seed. */
function bytesOf(sizeBytes: number, seed: string): Buffer {
  let block = createHash('sha512').update(seed).digest()
  const blocks = Array.from({ length: Math.ceil(sizeBytes / block.length) }, () => {
    block = createHash('sha512').update(block).digest()
    return block
  })
  return Buffer.concat(blocks).subarray(0, sizeBytes)
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function makeFolder(admin: Api, name: string): Promise<string> {
  const path = `/local/uploads-${name}`
  await admin.call(fsFileRoutes.mkdir, { body: { path } })
  return path
}

async function namesIn(admin: Api, path: string): Promise<string[]> {
  const { data } = await admin.call(fsListingRoutes.list, {
    query: { path, limit: null, cursor: null, sort: null, order: 'asc', refresh: true },
  })
  return data.items.map(({ name }) => name).toSorted()
}

async function hashInMount(admin: Api, path: string): Promise<string> {
  const { data } = await admin.call(fsFileRoutes.get, { query: { path } })
  const answer = await fetch(data.download_url ?? '')
  return hashOf(new Uint8Array(await answer.arrayBuffer()))
}

/** Makes every request that carries a part slow, and counts them by their part. */
async function slowParts(page: Page, delayMs: number) {
  const sent: string[] = []
  await page.route('**/*', async (route) => {
    const request = route.request()
    const part = /partNumber=(\d+)|[?&]part=(\d+)/.exec(request.url())
    if (request.method() !== 'PUT') {
      await route.fallback()
      return
    }
    sent.push(part?.[1] ?? part?.[2] ?? request.url())
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    // It may have been given up meanwhile.
    await route.continue().catch(() => undefined)
  })
  return { sent }
}

const tray = (page: Page) => page.getByRole('button', { name: /^Tasks:/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Tasks' })

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  return page.getByRole('dialog', { name: /Upload to/ })
}

async function choose(page: Page, files: { name: string; buffer: Buffer }[]) {
  const dialog = await openDialog(page)
  await dialog
    .getByLabel('Choose files')
    .last()
    .setInputFiles(files.map((file) => ({ ...file, mimeType: 'application/octet-stream' })))
  return dialog
}

test('files chosen in the explorer arrive, and the tray tells of them on every page', async ({
  admin,
  adminPage: page,
}) => {
  const path = await makeFolder(admin, 'chosen')
  await page.goto(`/mount-explorer${path}`)
  const bytes = bytesOf(3 * MIB, 'chosen')
  const dialog = await choose(page, [
    { name: 'a.bin', buffer: bytes },
    { name: 'b.txt', buffer: Buffer.from('b') },
    { name: 'empty.txt', buffer: Buffer.alloc(0) },
  ])
  await expect(dialog.getByText('Files: 3')).toBeVisible()
  await dialog.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('a.bin')).toBeVisible()
  await expect(page.getByText('Files uploaded: 3')).toBeVisible()
  expect(await namesIn(admin, path)).toEqual(['a.bin', 'b.txt', 'empty.txt'])
  expect(await hashInMount(admin, `${path}/a.bin`)).toBe(hashOf(bytes))
  await page.getByRole('link', { name: 'Dropleaf' }).click()
  await tray(page).click()
  await expect(panel(page).getByText('Upload of 3 files')).toBeVisible()
  await panel(page).getByRole('button', { name: 'Clear ended' }).click()
  await expect(panel(page).getByText('No tasks')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(tray(page)).toBeFocused()
})

test('taken names are asked about once, and nothing is overwritten unless it is wanted', async ({
  admin,
  adminPage: page,
}) => {
  const path = await makeFolder(admin, 'taken')
  for (const name of ['a.txt', 'b.txt'])
    await admin.call(fsFileRoutes.update, { body: { path: `${path}/${name}`, content: 'old', etag: null } })
  const textOf = async (name: string) => {
    const { data } = await admin.call(fsFileRoutes.get, { query: { path: `${path}/${name}` } })
    return (await fetch(data.download_url ?? '')).text()
  }
  await page.goto(`/mount-explorer${path}`)
  const upload = async (choice: string | null) => {
    const files = ['a.txt', 'b.txt', 'c.txt'].map((name) => ({ name, buffer: Buffer.from('new') }))
    const dialog = await choose(page, files)
    await dialog.getByRole('button', { name: 'Start upload' }).click()
    const question = page.getByRole('dialog', { name: 'Names are taken' })
    await expect(question.getByText('a.txt').first()).toBeVisible()
    if (choice === null) await question.getByRole('button', { name: 'Cancel' }).click()
    else {
      await question.getByLabel(choice).check()
      await question.getByRole('button', { name: 'Upload' }).click()
    }
    await expect(question).toBeHidden()
  }
  await upload(null)
  expect(await namesIn(admin, path)).toEqual(['a.txt', 'b.txt'])
  await upload('Skip those')
  await expect.poll(() => namesIn(admin, path)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(await textOf('a.txt')).toBe('old')
  await upload('Keep both, give the new ones other names')
  await expect
    .poll(() => namesIn(admin, path))
    .toEqual(['a(1).txt', 'a.txt', 'b(1).txt', 'b.txt', 'c(1).txt', 'c.txt'])
  expect(await textOf('a.txt')).toBe('old')
  await upload('Overwrite what is there')
  await expect.poll(() => textOf('a.txt')).toBe('new')
  expect(await namesIn(admin, path)).toHaveLength(6)
})

test('a large file goes in parts, is paused, goes on, survives a reload and is whole in the end', async ({
  admin,
  adminPage: page,
}, testInfo) => {
  const path = await makeFolder(admin, 'parts')
  const bytes = bytesOf(40 * MIB, 'parts')
  // Of a file on the disk, so that its date is the same when it is chosen again.
  const file = testInfo.outputPath('big.bin')
  await writeFile(file, bytes)
  const other = testInfo.outputPath('other.bin')
  await writeFile(other, 'other')
  await page.goto(`/mount-explorer${path}`)
  const { sent } = await slowParts(page, 500)
  const dialog = await openDialog(page)
  await dialog.getByLabel('Choose files').last().setInputFiles(file)
  await dialog.getByRole('button', { name: 'Start upload' }).click()
  await tray(page).click()
  await expect(panel(page).getByText(/Parts: [1-5] of 8/)).toBeVisible()
  await panel(page).getByRole('button', { name: 'Pause big.bin' }).click()
  await expect(panel(page).getByText('Paused')).toBeVisible()
  const sentBefore = sent.length
  await page.waitForTimeout(1000)
  expect(sent).toHaveLength(sentBefore)
  await panel(page).getByRole('button', { name: 'Resume big.bin' }).click()
  await expect.poll(() => sent.length).toBeGreaterThan(sentBefore)
  page.once('dialog', (leaving) => void leaving.accept())
  await page.reload()

  await tray(page).click()
  await expect(panel(page).getByText('Needs the file again')).toBeVisible()
  const { data } = await admin.call(fsUploadRoutes.multipartUploads, { query: { limit: 10, offset: 0 } })
  const { uploadId } = data.uploads.find(({ fileName }) => fileName === 'big.bin') ?? { uploadId: '' }
  const { data: progress } = await admin.call(fsUploadRoutes.multipartParts, {
    query: { path: null, uploadId, fileName: null },
  })
  const arrived = progress.parts.length
  expect(arrived).toBeGreaterThan(0)
  expect(arrived).toBeLessThan(8)
  const pick = panel(page).locator('input[type=file]')
  await pick.setInputFiles(other)
  await expect(panel(page).getByRole('alert')).toContainText('not the file that was begun')
  const sentAfterReload = sent.length
  await pick.setInputFiles(file)
  await expect(page.getByText('Files uploaded: 1')).toBeVisible({ timeout: 30_000 })
  expect(sent.length - sentAfterReload).toBe(8 - arrived)
  expect(await hashInMount(admin, `${path}/big.bin`)).toBe(hashOf(bytes))
  await page.reload()
  await tray(page).click()
  await expect(panel(page).getByText('No tasks')).toBeVisible()
})

test('giving an upload up drops it on the server too', async ({ admin, adminPage: page }, testInfo) => {
  const path = await makeFolder(admin, 'given-up')
  const file = testInfo.outputPath('gone.bin')
  await writeFile(file, bytesOf(20 * MIB, 'gone'))
  await page.goto(`/mount-explorer${path}`)
  await slowParts(page, 500)
  const dialog = await openDialog(page)
  await dialog.getByLabel('Choose files').last().setInputFiles(file)
  await dialog.getByRole('button', { name: 'Start upload' }).click()
  await tray(page).click()
  await expect(panel(page).getByText(/Parts: [1-3] of 4/)).toBeVisible()
  const uploadsOf = async () =>
    (await admin.call(fsUploadRoutes.multipartUploads, { query: { limit: 50, offset: 0 } })).data.uploads
      .map(({ fileName }) => fileName)
      .filter((name) => name === 'gone.bin')
  expect(await uploadsOf()).toEqual(['gone.bin'])
  await panel(page).getByRole('button', { name: 'Cancel gone.bin' }).click()
  await expect(panel(page).getByText('Cancelled')).toBeVisible()
  await expect.poll(uploadsOf).toEqual([])
  expect(await namesIn(admin, path)).toEqual([])
})

test('a folder tree of many small files arrives as it is, three uploads at once', async ({
  admin,
  adminPage: page,
}, testInfo) => {
  const path = await makeFolder(admin, 'tree')
  const root = testInfo.outputPath('trip')
  const folders = ['', 'day one', 'day one/夜', 'day two']
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true })
  const wanted = Array.from({ length: FILES }, (_, index) => `${folders[index % 4]}/${index}.txt`)
  for (const name of wanted) await writeFile(join(root, name), name)
  await page.goto(`/mount-explorer${path}`)
  let now = 0
  let most = 0
  await page.route('**/*', async (route) => {
    if (route.request().method() !== 'PUT') {
      await route.fallback()
      return
    }
    now += 1
    most = Math.max(most, now)
    const answer = await route.fetch()
    now -= 1
    await route.fulfill({ response: answer })
  })
  const dialog = await openDialog(page)
  await dialog.getByLabel('Choose a folder').last().setInputFiles(root)
  await expect(dialog.getByText(`Files: ${FILES}`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Start upload' }).click()
  await tray(page).click()
  await expect(panel(page).getByText(/\d+ of 120 files/)).toBeVisible()
  await expect(page.getByText(`Files uploaded: ${FILES}`).first()).toBeVisible({ timeout: 45_000 })
  expect(most).toBeLessThanOrEqual(3)
  const found = await Promise.all(
    folders.map(async (folder) => {
      const below = `trip${folder === '' ? '' : `/${folder}`}`
      const names = await namesIn(admin, `${path}/${below}`)
      return names.filter((name) => name.endsWith('.txt')).map((name) => `${folder}/${name}`)
    }),
  )
  expect(found.flat().toSorted()).toEqual(wanted.toSorted())
})
