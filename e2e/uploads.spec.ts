import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { S3 } from '@aws-sdk/client-s3'
import {
  authRoutes,
  fsUploadRoutes,
  mountRoutes,
  storageConfigRoutes,
  operationRoutes,
  systemRoutes,
  taskRoutes,
} from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { Api, logIn } from './support/api.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { ADMIN_PASSWORD } from './support/test.ts'
import {
  bytesOf,
  chooseFiles,
  doneNotice,
  hashOf,
  holdLine,
  MIB,
  numberIn,
  openTray,
  openUploadDialog,
  patternOf,
  payload,
  sendFiles,
  treeOf,
  trayOf,
  watchSent,
} from './support/uploading.ts'
import { expect, inOppositeWorlds, say, test } from './support/worlds.ts'

const AT_ONCE = 3

/** Counts concurrent uploads inside the page. */
function countInFlight(page: Page) {
  return page.addInitScript(() => {
    const flight = { now: 0, most: 0 }
    Object.assign(window, { flight })
    // oxlint-disable-next-line typescript/unbound-method -- it is called with the request as `this`
    const { open } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, url: string | URL) {
      let isCounted = false
      this.addEventListener('readystatechange', () => {
        if (this.readyState !== XMLHttpRequest.DONE || !isCounted) return
        isCounted = false
        flight.now -= 1
      })
      this.addEventListener('loadstart', () => {
        if (method !== 'PUT') return
        isCounted = true
        flight.now += 1
        flight.most = Math.max(flight.most, flight.now)
      })
      open.call(this, method, url, true)
    }
  })
}
const mostInFlight = (page: Page) =>
  page.evaluate(() => (window as unknown as { flight: { most: number } }).flight.most)

/** Drops files from the disk, as a file manager does. */
async function dropOn(page: Page, selector: string, paths: string[]) {
  const box = await page.locator(selector).first().boundingBox()
  const client = await page.context().newCDPSession(page)
  const at = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, ...at, data })
  await client.detach()
}

interface Tree {
  readonly root: string
  /** Paths of all files, and of all folders with a trailing slash, including the name of the root. */
  readonly list: string[]
  readonly sizeBytes: number
}

/** Creates folders of several depths with small files. */
async function makeTree(root: string, { fileCount }: { fileCount: number }): Promise<Tree> {
  const folders = ['', '第一天', '第一天/夜 里', 'day two', 'day two/a&b', 'day two/a&b/c#d']
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true })
  let sizeBytes = 0
  const files: string[] = []
  for (let index = 0; index < fileCount; index += 1) {
    const name = join(folders[index % folders.length] ?? '', `${index} 号.txt`)
    const bytes = bytesOf(200 + ((index * 37) % 3000), name)
    await writeFile(join(root, name), bytes)
    files.push(name)
    sizeBytes += bytes.length
  }
  const top = root.split('/').at(-1) ?? ''
  const list = ['', ...folders.slice(1).map((folder) => `${folder}/`), ...files].map(
    (name) => `${top}/${name}`,
  )
  return { root, list: list.toSorted(), sizeBytes }
}

async function configIdOf(admin: Api, path: string): Promise<string> {
  const { data } = await admin.call(mountRoutes.adminList)
  const around = data.find(({ mount_path: mountPath }) => path.startsWith(`${mountPath}/`))
  return around?.storage_config_id ?? ''
}

/**
 * Lists the upload sessions on the server, and the unfinished multipart uploads in the bucket, that uploads to a folder
 * have left.
 */
async function leftOf(admin: Api, path: string): Promise<string[]> {
  const { data } = await admin.call(fsUploadRoutes.multipartUploads, { query: { limit: 100, offset: 0 } })
  const sessions = data.uploads
    .filter((upload) => upload.path.startsWith(path))
    .map(({ fileName }) => fileName)
  const { data: config } = await admin.call(storageConfigRoutes.read, {
    params: { id: await configIdOf(admin, path) },
  })
  if (config.endpoint_url === '') return sessions
  const {
    TEST_S3_ENDPOINT: endpoint = '',
    TEST_S3_ACCESS_KEY: accessKeyId = '',
    TEST_S3_SECRET_KEY: secretAccessKey = '',
  } = process.env
  const credentials = { accessKeyId, secretAccessKey }
  const s3 = new S3({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  const { Uploads = [] } = await s3.listMultipartUploads({ Bucket: config.bucket_name })
  const folder = path.split('/').at(-1) ?? ''
  return [...sessions, ...Uploads.map(({ Key = '' }) => Key).filter((key) => key.includes(folder))]
}

inOppositeWorlds((world) => {
  const isDesktop = world.device === 'desktop'

  test('a folder is uploaded unchanged, with its progress', async ({
    adminPage: page,
    admin,
    words,
    place,
  }, testInfo) => {
    const fileCount = world.language === 'en-US' ? 500 : 60
    const tree = await makeTree(testInfo.outputPath('旅行 trip'), { fileCount })
    await countInFlight(page)
    await page.goto(place.address)
    await expect(page.getByRole('button', { name: words.explorer.upload, exact: true }).first()).toBeVisible()
    const list = [...tree.list]
    if (isDesktop) {
      // Creates an empty folder. Empty folders are included only when a folder is dropped.
      await mkdir(join(tree.root, 'empty'))
      list.push('旅行 trip/empty/')
      await dropOn(page, '[data-drop-path]', [tree.root])
    } else {
      const dialog = await openUploadDialog(page, words)
      await dialog.getByLabel(words.uploads.pickFolder, { exact: true }).last().setInputFiles(tree.root)
      await dialog.getByRole('button', { name: words.uploads.start, exact: true }).click()
    }
    const panel = await openTray(page, words)
    // While the task panel is open, no notice about the start appears.
    await expect(page.getByText(say(words.tasks.notice.started_other, { count: fileCount }))).toHaveCount(0)
    const doneFiles = () => numberIn(panel, words.tasks.filesDone, { total: fileCount })
    const share = () => panel.getByRole('progressbar').first().getAttribute('value')
    await expect.poll(doneFiles).toBeGreaterThan(0)
    const seen = { files: await doneFiles(), share: Number(await share()) }
    expect(seen.files).toBeLessThan(fileCount)
    await expect(panel.getByText(patternOf(words.tasks.bytesDone)).first()).toBeVisible()
    await expect.poll(async () => Number((await share()) ?? 1)).toBeGreaterThan(seen.share)
    await expect(
      page.getByText(say(words.tasks.summary.done_other, { count: fileCount })).first(),
    ).toBeVisible({
      timeout: 90_000,
    })
    expect(await mostInFlight(page)).toBeLessThanOrEqual(AT_ONCE)
    expect(await treeOf(admin, place.path)).toEqual(list.toSorted())
    const sample = tree.list.filter((name) => name.endsWith('.txt')).filter((_, index) => index % 40 === 7)
    for (const name of sample) {
      const onDisk = await readFile(join(tree.root, '..', name))
      expect(hashOf((await place.read(name)) ?? Buffer.alloc(0))).toBe(hashOf(onDisk))
    }
    expect(await isWiderThanScreen(page)).toBe(false)
  })

  test('the upload method depends on the size, unless one is chosen', async ({
    adminPage: page,
    server,
    words,
    place,
  }) => {
    await page.goto(place.address)
    const sent = watchSent(page)
    const begun: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') begun.push(new URL(request.url()).pathname)
    })
    const { presign, multipartInit, put } = fsUploadRoutes
    const ways = [
      { method: 'auto', name: 'empty.bin', size: 0, by: presign, count: 1 },
      { method: 'auto', name: 'small.bin', size: 1000, by: presign, count: 1 },
      { method: 'auto', name: 'large.bin', size: 17 * MIB, by: multipartInit, count: 4 },
      { method: 'presigned', name: 'whole.bin', size: 17 * MIB, by: presign, count: 1 },
      { method: 'direct', name: 'server.bin', size: 6 * MIB, by: put, count: 1 },
      { method: 'multipart', name: 'parts.bin', size: 6 * MIB, by: multipartInit, count: 2 },
    ] as const
    for (const { method, name, size, by, count } of ways) {
      sent.length = 0
      begun.length = 0
      const bytes = bytesOf(size, name)
      await sendFiles(page, words, { files: [payload(name, bytes)], method })
      await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
      await expect.poll(async () => hashOf((await place.read(name)) ?? Buffer.alloc(0))).toBe(hashOf(bytes))
      expect(sent).toHaveLength(count)
      const isDirect = by === put
      expect([presign, multipartInit].filter(({ path }) => begun.includes(path))).toEqual(
        isDirect ? [] : [by],
      )
      expect(sent.every(({ path }) => (path === put.path) === isDirect)).toBe(true)
      const isForeign = world.storage === 'bucket' && !isDirect
      for (const { host } of sent) expect(host !== new URL(server.origin).host).toBe(isForeign)
    }
    // The browser stores the selected method.
    await page.reload()
    const dialog = await openUploadDialog(page, words)
    await expect(dialog.getByLabel(words.uploads.method)).toHaveValue('multipart')
  })

  test('closing the file picker leaves the dialog open', async ({ adminPage: page, words, place }) => {
    await page.goto(place.address)
    const dialog = await openUploadDialog(page, words)
    const field = dialog.getByLabel(words.uploads.pickFolder, { exact: true }).last()
    // Simulates the `cancel` event of the file picker, which a test cannot close.
    await field.dispatchEvent('cancel', { bubbles: true })
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  test('Esc does not discard the chosen files', async ({ adminPage: page, words, place }) => {
    await page.goto(place.address)
    const empty = await openUploadDialog(page, words)
    await expect(empty).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(empty).toBeHidden()
    const dialog = await chooseFiles(page, words, [payload('a.txt', 'a'), payload('b.txt', 'b')])
    const question = page.getByRole('dialog', { name: words.uploads.leaveTitle })
    for (let turn = 0; turn < 3; turn += 1) {
      await page.keyboard.press('Escape')
      await expect(question).toContainText(say(words.uploads.leaveText_other, { count: 2 }))
      await page.keyboard.press('Escape')
      await expect(question).toBeHidden()
    }
    await expect(dialog.getByText('b.txt')).toBeVisible()
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: words.uploads.leave, exact: true }).click()
    await expect(dialog).toBeHidden()
  })

  test('an upload is paused, fails, is retried, and resumes after a reload with the file', async ({
    adminPage: page,
    admin,
    words,
    place,
  }, testInfo) => {
    const bytes = bytesOf(40 * MIB, 'pause')
    const file = testInfo.outputPath('big.bin')
    await writeFile(file, bytes)
    await page.goto(place.address)
    const sent = watchSent(page)
    let given = 0
    page.on('requestfailed', (request) => {
      if (request.method() === 'PUT') given += 1
    })
    const line = await holdLine(page)
    line.left = 2
    await sendFiles(page, words, { files: [file], method: 'auto' })
    const panel = await openTray(page, words)
    const arrived = () => numberIn(panel, words.tasks.partsDone, { total: 8 })
    const tool = (text: string) => panel.getByRole('button', { name: say(text, { name: 'big.bin' }) })

    await expect.poll(arrived).toBe(2)
    await expect.poll(() => sent.length).toBe(2 + AT_ONCE)
    await tool(words.tasks.pause).click()
    await expect(panel.getByRole('list', { name: words.tasks.paused })).toBeVisible()
    await expect.poll(() => given).toBe(AT_ONCE)

    line.state = 'refuse'
    await tool(words.tasks.resume).click()
    await expect(panel.getByText(words.tasks.errors.parts_failed)).toBeVisible()
    expect(sent.length).toBeGreaterThan(2 + AT_ONCE)
    line.left = 2
    line.state = 'open'
    await tool(words.tasks.retry).click()
    await expect.poll(arrived).toBe(4)

    page.once('dialog', (leaving) => void leaving.accept())
    await page.reload()
    await openTray(page, words)
    await expect(panel.getByText(words.tasks.state.needsFile)).toBeVisible()
    const { data } = await admin.call(fsUploadRoutes.multipartUploads, { query: { limit: 100, offset: 0 } })
    const { uploadId = '' } = data.uploads.find(({ path }) => path === `${place.path}/big.bin`) ?? {}
    const { data: known } = await admin.call(fsUploadRoutes.multipartParts, {
      query: { path: null, uploadId, fileName: null },
    })
    expect(known.parts).toHaveLength(4)
    sent.length = 0
    line.left = 8
    const field = panel.locator('input[type=file]').last()
    await field.setInputFiles(payload('big.bin', 'another'))
    await expect(panel.getByRole('alert')).toHaveText(words.tasks.errors.source_changed)
    await field.setInputFiles(file)
    await expect(page.getByText(doneNotice(words, 1)).first()).toBeVisible()
    expect(sent).toHaveLength(4)
    expect(hashOf((await place.read('big.bin')) ?? Buffer.alloc(0))).toBe(hashOf(bytes))
    await page.reload()
    await openTray(page, words)
    await expect(panel).toBeVisible()
    await expect(panel.getByText('big.bin')).toHaveCount(0)
    expect(await isWiderThanScreen(page)).toBe(false)
  })

  test('an upload waits for a broken connection, and a cancelled upload leaves nothing behind', async ({
    adminPage: page,
    admin,
    words,
    place,
  }) => {
    await page.goto(place.address)
    const line = await holdLine(page)
    line.state = 'hold'
    const files = [payload('gone.bin', bytesOf(17 * MIB, 'gone')), payload('small.txt', 'small')]
    const sent = watchSent(page)
    await sendFiles(page, words, { files, method: 'auto' })
    const panel = await openTray(page, words)
    await expect.poll(() => sent.length).toBeGreaterThanOrEqual(AT_ONCE)
    expect(await leftOf(admin, place.path)).not.toEqual([])
    const title = say(words.tasks.uploadsTo, { count: 2 })
    await panel.getByRole('button', { name: say(words.tasks.details, { name: title }) }).click()
    await expect(panel.getByText('small.txt').first()).toBeVisible()
    await panel.getByRole('button', { name: say(words.tasks.cancel, { name: title }) }).click()
    await expect(panel.getByText(words.tasks.state.cancelled).first()).toBeVisible()
    await expect.poll(() => leftOf(admin, place.path)).toEqual([])
    expect(await treeOf(admin, place.path)).toEqual([])

    // Tests this only on the phone, because waiting for the connection takes a long time.
    if (isDesktop) return
    line.state = 'cut'
    await page.keyboard.press('Escape')
    await sendFiles(page, words, {
      files: [payload('back.bin', bytesOf(6 * MIB, 'back'))],
      method: 'multipart',
    })
    await openTray(page, words)
    await expect(panel.getByText(patternOf(words.tasks.state.retrying))).toBeVisible()
    line.state = 'open'
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page.getByText(doneNotice(words, 1)).first()).toBeVisible()
    expect(await treeOf(admin, place.path)).toEqual(['back.bin'])
  })

  test('a file that the browser may reopen resumes after a reload with a click; an old upload expires', async ({
    adminPage: page,
    words,
    place,
  }) => {
    const bytes = bytesOf(6 * MIB, 'handle')
    await page.addInitScript(() => {
      const showOpenFilePicker = async () => {
        const root = await navigator.storage.getDirectory()
        return [await root.getFileHandle('kept.bin')]
      }
      Object.assign(window, { showOpenFilePicker })
    })
    await page.goto(place.address)
    await page.evaluate(async (numbers) => {
      const root = await navigator.storage.getDirectory()
      const writable = await (await root.getFileHandle('kept.bin', { create: true })).createWritable()
      await writable.write(Uint8Array.from(atob(numbers), (letter) => letter.codePointAt(0) ?? 0))
      await writable.close()
    }, bytes.toString('base64'))
    const line = await holdLine(page)
    line.state = 'hold'
    const dialog = await openUploadDialog(page, words)
    await dialog.getByRole('button', { name: words.uploads.pickFiles, exact: true }).click()
    await expect(dialog.getByText('kept.bin').first()).toBeVisible()
    await dialog.getByLabel(words.uploads.method).selectOption('multipart')
    await dialog.getByRole('button', { name: words.uploads.start, exact: true }).click()
    const panel = await openTray(page, words)
    await expect(panel.getByText(patternOf(words.tasks.partsDone))).toBeVisible()
    page.once('dialog', (leaving) => void leaving.accept())
    await page.reload()
    await openTray(page, words)
    line.state = 'open'
    const name = say(words.tasks.continueFile, { name: 'kept.bin' })
    await panel.getByRole('button', { name }).click()
    await expect(page.getByText(doneNotice(words, 1)).first()).toBeVisible()
    expect(hashOf((await place.read('kept.bin')) ?? Buffer.alloc(0))).toBe(hashOf(bytes))

    await page.reload()
    line.state = 'hold'
    await sendFiles(page, words, { files: [payload('old.bin', bytes)], method: 'multipart' })
    await openTray(page, words)
    await expect(panel.getByText(patternOf(words.tasks.partsDone))).toBeVisible()
    page.once('dialog', (leaving) => void leaving.accept())
    await page.goto('/api/health')
    const age = (hours: number) =>
      page.evaluate(
        async (savedAtMs) => {
          const settled = <T>(request: IDBRequest<T>) =>
            new Promise<T>((resolve, reject) => {
              request.addEventListener('success', () => resolve(request.result))
              request.addEventListener('error', () => reject(new Error('The database failed.')))
            })
          const database = await settled(indexedDB.open('dropleaf-uploads'))
          const table = database.transaction('uploads', 'readwrite').objectStore('uploads')
          const all = await settled(table.getAll() as IDBRequest<object[]>)
          for (const record of all) await settled(table.put({ ...record, savedAtMs }))
          database.close()
          return all.length
        },
        Date.now() - hours * 3_600_000,
      )
    expect(await age(23)).toBe(1)
    await page.goto(place.address)
    await openTray(page, words)
    await expect(panel.getByText(words.tasks.state.needsFile)).toBeVisible()
    await page.goto('/api/health')
    expect(await age(24.1)).toBe(1)
    await page.goto(place.address)
    await openTray(page, words)
    await expect.poll(() => age(0)).toBe(0)
    await expect(panel.getByText('old.bin')).toBeHidden()
  })

  test('files are pasted into the current folder, and taken names are asked about', async ({
    adminPage: page,
    admin,
    context,
    words,
    place,
  }) => {
    await place.put({ 'note.txt': 'old', 'other.txt': 'old' })
    await page.goto(place.address)
    await expect(page.getByRole('row').filter({ hasText: 'note.txt' })).toBeVisible()
    if (isDesktop) {
      // Puts a picture on the system clipboard.
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.evaluate(async () => {
        const canvas = new OffscreenCanvas(2, 2)
        canvas.getContext('2d')?.fillRect(0, 0, 2, 2)
        const picture = await canvas.convertToBlob({ type: 'image/png' })
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
      })
      await page.keyboard.press('Control+v')
      const pasted = new RegExp(`${words.uploads.pastedName}-\\d{8}-\\d{6}\\.png`)
      await expect(page.getByRole('row').filter({ hasText: pasted })).toBeVisible()
    }
    const paste = (names: string[]) =>
      page.evaluate((all) => {
        const clipboardData = new DataTransfer()
        for (const name of all) clipboardData.items.add(new File(['new'], name))
        window.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }))
      }, names)
    const question = page.getByRole('dialog', { name: words.tasks.names.title })
    const answer = async (choice: 'skip' | 'rename' | 'overwrite') => {
      await question.getByLabel(words.tasks.names[choice]).check()
      await question.getByRole('button', { name: words.tasks.names.confirm, exact: true }).click()
      await expect(question).toBeHidden()
    }
    const names = async () => (await treeOf(admin, place.path)).filter((name) => name.endsWith('.txt'))
    await paste(['note.txt', 'fresh.txt'])
    await expect(question.getByText('note.txt').first()).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
    await answer('skip')
    await expect.poll(names).toEqual(['fresh.txt', 'note.txt', 'other.txt'])
    await paste(['note.txt', 'other.txt'])
    await answer('rename')
    await expect.poll(names).toEqual(['fresh.txt', 'note(1).txt', 'note.txt', 'other(1).txt', 'other.txt'])
    expect(await place.readText('note.txt')).toBe('old')
    await paste(['note.txt', 'other.txt'])
    await answer('overwrite')
    await expect.poll(() => place.readText('note.txt')).toBe('new')
    await expect.poll(() => place.readText('other.txt')).toBe('new')
    expect(await names()).toHaveLength(5)
    await paste(['note.txt'])
    await question.getByRole('button', { name: words.common.cancel, exact: true }).click()
    await expect(question).toBeHidden()
    // In the dialog, a pasted file is first added to the selection.
    const dialog = await openUploadDialog(page, words)
    await expect(dialog).toBeVisible()
    await paste(['chosen.txt'])
    await expect(dialog.getByText('chosen.txt').first()).toBeVisible()
    expect(await names()).toHaveLength(5)
  })

  test('a file that is too large, or too large for the storage, shows an error', async ({
    adminPage: page,
    admin,
    words,
    place,
  }) => {
    const id = await configIdOf(admin, place.path)
    const { data: before } = await admin.call(systemRoutes.maxUploadSize)
    const { data: config } = await admin.call(storageConfigRoutes.read, { params: { id } })
    const limitTo = (bytes: number | null) =>
      admin.call(storageConfigRoutes.update, {
        params: { id },
        body: { total_storage_bytes: bytes, access_key_id: null, secret_access_key: null },
      })
    await page.goto(place.address)
    const panel = await openTray(page, words)
    await page.keyboard.press('Escape')
    try {
      await admin.call(operationRoutes.updateSettings, { body: { max_upload_size: 1 } })
      for (const method of ['auto', 'direct', 'multipart'] as const) {
        const files = [payload(`${method}.bin`, bytesOf(6 * MIB, method)), payload(`${method}.txt`, 'fits')]
        await sendFiles(page, words, { files, method })
        await expect(page.getByRole('row').filter({ hasText: `${method}.txt` })).toBeVisible()
        await openTray(page, words)
        const title = say(words.tasks.uploadsTo, { count: 2 })
        await panel
          .getByRole('button', { name: say(words.tasks.details, { name: title }) })
          .first()
          .click()
        await expect(panel.getByText(words.errors.file.too_large)).toBeVisible()
        await panel.getByRole('button', { name: words.tasks.clearEnded }).click()
        await page.keyboard.press('Escape')
      }
      expect(await treeOf(admin, place.path)).toEqual(['auto.txt', 'direct.txt', 'multipart.txt'])
      await admin.call(operationRoutes.updateSettings, { body: before })
      await limitTo(1)
      await sendFiles(page, words, { files: [payload('full.bin', bytesOf(6 * MIB, 'full'))], method: 'auto' })
      await openTray(page, words)
      const full =
        world.language === 'zh-CN' ? /存储空间不足.*6/ : /6(?:\.0+)? ?MB.*(?:left|space|room)|space.*6/i
      await expect(panel.getByText(full)).toBeVisible()
      expect(await isWiderThanScreen(page)).toBe(false)
      await limitTo(config.total_storage_bytes)
      await panel.getByRole('button', { name: say(words.tasks.retry, { name: 'full.bin' }) }).click()
      await expect(page.getByText(doneNotice(words, 1)).first()).toBeVisible()
    } finally {
      await admin.call(operationRoutes.updateSettings, { body: before })
      await limitTo(config.total_storage_bytes)
    }
  })

  test('a session that ends during uploads loses nothing: they resume after login', async ({
    page,
    admin,
    server,
    words,
    place,
  }) => {
    const token = await logIn(server.origin, ADMIN_PASSWORD)
    const logInAgain = async () => {
      const login = page.getByRole('dialog', { name: words.auth.again.title })
      await login.getByLabel(words.auth.username).fill('admin')
      await login.getByLabel(words.auth.password, { exact: true }).fill(ADMIN_PASSWORD)
      await login.getByRole('button', { name: words.auth.submit, exact: true }).click()
    }
    await page.goto('/api/health')
    await page.evaluate((value) => localStorage.setItem('admin_token', value), token)
    await page.goto(place.address)
    const line = await holdLine(page)
    line.left = 2
    const large = bytesOf(22 * MIB, 'large')
    const small = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']
    const sent = watchSent(page)
    await sendFiles(page, words, {
      files: [payload('large.bin', large), ...small.map((name) => payload(name, name))],
      method: 'auto',
    })
    await expect.poll(() => sent.length).toBe(2 + AT_ONCE)
    await new Api(server.origin).withToken(token).call(authRoutes.logout)
    // Opens the task panel, because the page notices the logout at its next request. The click fails if the login
    // already covers the button.
    await trayOf(page, words)
      .button.click({ timeout: 2000 })
      .catch(() => undefined)
    await page.getByRole('dialog', { name: words.auth.again.title }).waitFor()
    await expect(page.getByText(patternOf(words.tasks.notice.waiting_other))).toBeVisible()
    line.left = Number.POSITIVE_INFINITY
    await logInAgain()
    await expect(page.getByText(doneNotice(words, 6)).first()).toBeVisible()
    expect(await treeOf(admin, place.path)).toEqual([...small, 'large.bin'])
    expect(hashOf((await place.read('large.bin')) ?? Buffer.alloc(0))).toBe(hashOf(large))

    // Starts an upload after the session has ended, but before the page has noticed the end.
    const second = await page.evaluate(() => localStorage.getItem('admin_token') ?? '')
    await page.goto(place.address)
    await expect(page.getByRole('row').filter({ hasText: 'a.txt' })).toBeVisible()
    await page.route(`**${taskRoutes.list.path}`, () => undefined)
    const dialog = await chooseFiles(page, words, [payload('late.txt', 'late')])
    await new Api(server.origin).withToken(second).call(authRoutes.logout)
    await dialog.getByRole('button', { name: words.uploads.start, exact: true }).click()
    await logInAgain()
    await expect.poll(() => place.readText('late.txt')).toBe('late')
  })
})
