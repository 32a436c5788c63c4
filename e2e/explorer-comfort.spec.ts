import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiKeyRoutes, fsFileRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Api } from './support/api.ts'
import { isWiderThanScreen, logInWithKey } from './support/pages.ts'
import type { RunningServer } from './support/server.ts'
import { expect, test } from './support/test.ts'

const saveText = (admin: Api, path: string, content: string) =>
  admin.call(fsFileRoutes.update, { body: { path, content } })

async function makeFolder(admin: Api, folder: string, texts: Readonly<Record<string, string>>) {
  await admin.call(fsFileRoutes.mkdir, { body: { path: `${folder}/` } })
  for (const [name, content] of Object.entries(texts)) {
    if (name.endsWith('/')) await admin.call(fsFileRoutes.mkdir, { body: { path: `${folder}/${name}` } })
    else await saveText(admin, `${folder}/${name}`, content)
  }
}

interface BytesFile {
  readonly server: RunningServer
  readonly folder: string
  readonly name: string
  readonly bytes: Uint8Array
}

/** Writes a file directly to the disk of the storage. */
async function writeBytes({ server, folder, name, bytes }: BytesFile): Promise<void> {
  const directory = join(server.dataDirectory, 'storage', 'local', folder)
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, name), bytes)
}

/** A WAV file with a fifth of a second of silence. */
function sound(): Uint8Array {
  const samples = 1600
  const bytes = Buffer.alloc(44 + samples, 128)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(8000, 24)
  bytes.writeUInt32LE(8000, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples, 40)
  return bytes
}

/** A bitmap of 3000 × 1500 pixels in two colors. */
function picture(): Uint8Array {
  const [width, height] = [3000, 1500]
  const rowBytes = Math.ceil(width / 32) * 4
  const header = Buffer.alloc(62)
  header.write('BM', 0)
  header.writeUInt32LE(62 + rowBytes * height, 2)
  header.writeUInt32LE(62, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(width, 18)
  header.writeInt32LE(height, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(1, 28)
  header.writeUInt32LE(0x00_2e_8b_57, 54)
  header.writeUInt32LE(0x00_f5_de_b3, 58)
  const rows = Buffer.alloc(rowBytes * height)
  for (let at = 0; at < rows.length; at += 1) rows[at] = (at / rowBytes / 100) % 2 < 1 ? 0xf0 : 0x0f
  return Buffer.concat([header, rows])
}

const widthOf = async (page: Page, name: string) =>
  Math.round((await page.getByRole('img', { name }).boundingBox())?.width ?? 0)

test('the keyboard selects the target of a copy in a tree', async ({ adminPage: page, admin }) => {
  await makeFolder(admin, '/local/comfort-tree', {
    'a.txt': 'a',
    'beta/': '',
    'alpha/': '',
    'alpha/inner/': '',
  })
  await page.goto('/mount-explorer/local/comfort-tree')
  await page.getByRole('row').filter({ hasText: 'a.txt' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy', exact: true }).click()
  const tree = page.getByRole('tree', { name: 'Target folder' })
  const item = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  await expect(item('comfort-tree')).toHaveAttribute('aria-selected', 'true')
  await expect(item('comfort-tree')).toHaveAttribute('aria-level', '3')
  await item('comfort-tree').focus()
  await page.keyboard.press('b')
  await expect(item('beta')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(item('alpha')).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowRight')
  await expect(item('inner')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(item('inner')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Home')
  await expect(item('All files')).toBeFocused()
  await page.keyboard.press('Escape')
})

test('recordings of a folder play in sequence, unless that is off', async ({ adminPage: page, server }) => {
  for (const name of ['1.wav', '2.wav', '3.wav'])
    await writeBytes({ server, folder: 'comfort-sounds', name, bytes: sound() })
  await writeBytes({ server, folder: 'comfort-sounds', name: 'between.txt', bytes: Buffer.from('no sound') })
  await page.goto('/mount-explorer/local/comfort-sounds?preview=1.wav')
  await expect(page.getByText('1 of 3')).toBeVisible()
  const play = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.play())
  await page.getByRole('button', { name: 'Next file' }).click()
  await page.getByRole('button', { name: 'Previous file' }).click()
  await expect(page).toHaveURL(/preview=1\.wav/)
  await play()
  await expect(page).toHaveURL(/preview=3\.wav/)
  const next = page.getByRole('switch', { name: 'Play the next file automatically' })
  await next.uncheck()
  await page.goto('/mount-explorer/local/comfort-sounds?preview=1.wav')
  await expect(next).not.toBeChecked()
  await page.getByRole('button', { name: 'Next file' }).click()
  await expect(page).toHaveURL(/preview=2\.wav/)
  const ended = page.locator('audio').evaluate(
    (audio: HTMLAudioElement) =>
      new Promise<void>((resolve) => {
        audio.addEventListener('ended', () => resolve())
      }),
  )
  await play()
  await ended
  await expect(page).toHaveURL(/preview=2\.wav/)
})

test('a picture is zoomed by wheel, drag and buttons', async ({ adminPage: page, server }) => {
  await writeBytes({ server, folder: 'comfort-zoom', name: 'wide.bmp', bytes: picture() })
  await page.goto('/mount-explorer/local/comfort-zoom?preview=wide.bmp')
  await expect.poll(() => widthOf(page, 'wide.bmp')).toBeGreaterThan(300)
  const fit = await widthOf(page, 'wide.bmp')
  await page.getByRole('button', { name: 'Actual size, 100%' }).click()
  expect(await widthOf(page, 'wide.bmp')).toBe(3000)
  const before = await page.getByRole('img', { name: 'wide.bmp' }).boundingBox()
  await page.mouse.move(600, 400)
  await page.mouse.down()
  await page.mouse.move(500, 400)
  await page.mouse.up()
  const after = await page.getByRole('img', { name: 'wide.bmp' }).boundingBox()
  expect(Math.round((after?.x ?? 0) - (before?.x ?? 0))).toBe(-100)
  await page.mouse.wheel(0, -500)
  await expect.poll(() => widthOf(page, 'wide.bmp')).toBeGreaterThan(3000)
  await page.getByRole('button', { name: 'Fit to window' }).click()
  expect(await widthOf(page, 'wide.bmp')).toBe(fit)
})

test('revoked permissions show with the next refresh', async ({ page, admin }) => {
  await makeFolder(admin, '/local/comfort-rights', { 'a.txt': 'a' })
  const key = { name: 'Comfort', expires_at: 'never', basic_path: '/local/comfort-rights' }
  const rights = {
    text_permission: true,
    file_permission: false,
    mount_permission: true,
    mount_read_only: false,
  }
  const { data } = await admin.call(apiKeyRoutes.create, { body: { ...key, ...rights } })
  await logInWithKey(page, data.key)
  await page.goto('/mount-explorer/local/comfort-rights')
  await expect(page.getByRole('row').filter({ hasText: 'a.txt' })).toBeVisible()
  const change = { ...rights, mount_permission: false, expires_at: 'never' }
  await admin.call(apiKeyRoutes.update, { params: { id: data.id }, body: change })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('This API key has no mount permission')).toBeVisible()
  await expect(page.getByText('The permissions of this API key have changed')).toBeVisible()
})

test('offline a message appears, and the list loads when online again', async ({
  adminPage: page,
  admin,
  context,
}) => {
  await makeFolder(admin, '/local/comfort-line', { 'old.txt': 'old' })
  await page.goto('/mount-explorer/local/comfort-line')
  await expect(page.getByRole('row').filter({ hasText: 'old.txt' })).toBeVisible()
  await context.setOffline(true)
  const badge = page.getByText('You’re offline', { exact: true })
  await expect(badge).toBeVisible()
  await saveText(admin, '/local/comfort-line/new.txt', 'new')
  await context.setOffline(false)
  await expect(page.getByText('new.txt')).toBeVisible()
  await expect(badge).toBeHidden()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('a selection can be filtered, and the position in the folder is readable', async ({
    adminPage: page,
    admin,
  }) => {
    const long = `${'a very long name of a file '.repeat(5)}.txt`
    await makeFolder(admin, '/local/comfort-phone', { 'a.txt': 'a', 'b.txt': 'b', [long]: 'long' })
    await page.goto('/mount-explorer/local/comfort-phone')
    await page.getByRole('checkbox', { name: 'Select “a.txt”' }).tap()
    const tools = page.getByRole('toolbar', { name: 'Actions for the selection' })
    await expect(tools).toBeInViewport({ ratio: 1 })
    await page.getByRole('textbox', { name: 'Filter this folder' }).fill('a.t')
    await expect(page.getByRole('row')).toHaveCount(1)
    await expect(tools.getByRole('button', { name: 'Delete' })).toBeInViewport({ ratio: 1 })
    expect(await isWiderThanScreen(page)).toBe(false)
    await page.goto(`/mount-explorer/local/comfort-phone?preview=${encodeURIComponent(long)}`)
    const place = page.getByText('1 of 3')
    await expect(place).toBeInViewport({ ratio: 1 })
    expect(await place.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false)
  })
})

test('an upload without its file waits separately from running ones', async ({ adminPage: page, admin }) => {
  await makeFolder(admin, '/local/comfort-tray', {})
  await page.goto('/mount-explorer/local/comfort-tray')
  await page.evaluate(async () => {
    const request = indexedDB.open('dropleaf-uploads', 1)
    const database = await new Promise<IDBDatabase>((resolve) => {
      request.addEventListener('upgradeneeded', () =>
        request.result.createObjectStore('uploads', { keyPath: 'id' }),
      )
      request.addEventListener('success', () => resolve(request.result))
    })
    const transaction = database.transaction('uploads', 'readwrite')
    const table = transaction.objectStore('uploads')
    for (const name of ['film.mp4', 'second.mp4'])
      table.put({
        id: `comfort-${name}`,
        owner: 'admin',
        directory: '/local/comfort-tray',
        name,
        fileName: name,
        sizeBytes: 50_000_000,
        lastModifiedMs: 1,
        sentBytes: 20_000_000,
        savedAtMs: Date.now(),
      })
    await new Promise((resolve) => transaction.addEventListener('complete', resolve))
    database.close()
  })
  await page.reload()
  await page.getByRole('button', { name: 'Tasks: 2 need attention' }).click()
  const waiting = page.getByRole('list', { name: 'Waiting for you' })
  await expect(waiting.getByText(/Choose these files again \(2\)/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Running' })).toHaveCount(0)
  const chooser = page.waitForEvent('filechooser')
  await waiting.getByRole('button', { name: 'Choose the files' }).click()
  await (await chooser).setFiles({ name: 'other.mp4', mimeType: 'video/mp4', buffer: Buffer.from('other') })
  await expect(waiting.getByRole('alert')).toHaveText('Not the same as when the upload started: other.mp4')
})
