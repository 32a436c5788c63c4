import { execFile } from 'node:child_process'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { bundleRoutes } from '@dropleaf/contract'
import type { Download, Page, Request } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { hasBuckets, mountBucket } from './support/bucket.ts'
import { makeBundle, picture, viewsOf } from './support/bundles.ts'
import { fromLan } from './support/lan.ts'
import { makeLongSound } from './support/media.ts'
import { holdByMouse, openButton } from './support/opening.ts'
import { workerReady } from './support/offline.ts'
import { makeSealedBundle } from './support/sealed/bundles.ts'
import { trayOf } from './support/uploading.ts'
import { expect, say, test } from './support/worlds.ts'

const run = promisify(execFile)
const MIB = 1024 ** 2
const encode = (text: string) => new TextEncoder().encode(text)
/** Returns bytes that do not repeat, so that all segments differ. */
const noise = (length: number) =>
  Uint8Array.from({ length }, (_, index) => Math.imul(index, 0x9e_37_79_b1) >>> 24)

/** A text of the encrypted contents. No request may contain it. */
const MARKER = 'quarterly-figures'

/** Records all requests of the page. */
function watchRequests(page: Page): Request[] {
  const sent: Request[] = []
  page.on('request', (request) => sent.push(request))
  return sent
}

const textOf = (request: Request) =>
  [request.url(), JSON.stringify(request.headers()), request.postData() ?? ''].join('\n')

/** Replaces the file picker. Files are saved in the browser's own storage, where the test reads them. */
const withFilePicker = (page: Page) =>
  page.addInitScript(() => {
    const showSaveFilePicker = async ({ suggestedName }: { suggestedName: string }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })
    Object.assign(window, { showSaveFilePicker })
  })
const withoutFilePicker = (page: Page) =>
  page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))

/** Returns the size and SHA-256 of a saved file; `null` if there is none. */
const savedFile = (page: Page, name: string) =>
  page.evaluate(async (saved) => {
    const root = await navigator.storage.getDirectory()
    const handle = await root.getFileHandle(saved).catch(() => null)
    if (!handle) return null
    const bytes = await (await handle.getFile()).arrayBuffer()
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    return { size: bytes.byteLength, sha256: Array.from(digest, (byte) => byte.toString(16)).join(' ') }
  }, name)

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16)).join(' ')
}

async function namesIn(download: Download, file: string): Promise<string[]> {
  await download.saveAs(file)
  // `unzip -t` verifies the checksums of all members.
  await run('unzip', ['-tqq', file])
  const { stdout } = await run('unzip', ['-Z1', file])
  return stdout.split('\n').filter(Boolean).sort()
}

/** Records in the page whether a text disappears after it was shown, for example while the app takes over the page. */
const watchText = (page: Page, text: string) =>
  page.addInitScript((watched) => {
    let wasShown = false
    const look = () => {
      const isShown = document.body?.innerText.includes(watched) ?? false
      if (wasShown && !isShown) Object.assign(globalThis, { textVanished: true })
      wasShown ||= isShown
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, text)

/** Returns a different key of the same length. */
const otherKey = (linkKey: string) => linkKey.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))

const rowNamed = (page: Page, name: string) => page.getByRole('row', { name }).first()

test('a text opens with one view, also after a reload, and neither key nor contents leave the device', async ({
  page,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  const sent = watchRequests(page)
  const bundle = await makeSealedBundle(
    { admin, adminToken, baseURL },
    { title: `${MARKER} title`, page: `# Hello\n\n${MARKER} in the text. [Down](#the-end)\n\n## The end\n` },
  )
  await watchText(page, `${MARKER} in the text.`)
  await page.goto(bundle.link)
  await expect(page.getByRole('heading', { name: `${MARKER} title`, level: 1 })).toBeVisible()
  await expect(page.getByText(`${MARKER} in the text.`)).toBeVisible()
  await expect(page.getByText(words.sealedReading.badge)).toBeVisible()
  await expectAccessible(page, 'an encrypted bundle')
  await expect(page.getByRole('toolbar')).toBeVisible()
  expect(await page.evaluate(() => 'textVanished' in globalThis)).toBe(false)
  await page.getByRole('link', { name: 'Down' }).click()
  expect(new URL(page.url()).hash).toBe(`#${bundle.linkKey}`)
  await page.reload()
  await expect(page.getByText(`${MARKER} in the text.`)).toBeVisible()
  const { data } = await admin.call(bundleRoutes.detail, { params: { id: bundle.id } })
  expect(data.views).toBe(1)
  expect(sent.length).toBeGreaterThan(5)
  const leaks = sent.filter((request) => textOf(request).includes(bundle.linkKey))
  expect(leaks.map((request) => request.url())).toEqual([])
  expect(sent.filter((request) => textOf(request).includes(MARKER))).toEqual([])
  // The proof is sent only once, in a request body.
  const proven = sent.filter((request) => textOf(request).includes(bundle.proof))
  expect(proven.map((request) => [request.method(), new URL(request.url()).pathname])).toEqual([
    ['POST', `/api/bundles/${bundle.slug}/open`],
  ])
  expect(proven[0]?.url()).not.toContain(bundle.proof)
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toContain(bundle.linkKey)
  expect(stored).not.toContain(bundle.proof)
  expect(await page.title()).not.toContain(bundle.linkKey)
})

test('files, folders and previews work, and the address tells nothing of them', async ({
  page,
  admin,
  adminToken,
  baseURL,
}) => {
  const sent = watchRequests(page)
  const bundle = await makeSealedBundle(
    { admin, adminToken, baseURL },
    {
      title: 'Summer',
      page: `See the [notes](${MARKER}.txt). ![The hill](pics/hill.png)`,
      files: {
        [`${MARKER}.txt`]: encode('the notes of the summer'),
        'pics/hill.png': picture([40, 160, 70]),
        'pics/2026/lake.png': picture([40, 60, 170], 640, 480),
        'large.bin': noise(3 * MIB),
      },
      types: { 'pics/hill.png': 'image/png', [`${MARKER}.txt`]: 'text/plain' },
    },
  )
  await page.goto(bundle.link)
  const hill = page.locator('#root').getByAltText('The hill')
  await expect.poll(() => hill.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(320)
  await expect(rowNamed(page, 'large.bin')).toBeVisible()
  await rowNamed(page, `${MARKER}.txt`).getByText(`${MARKER}.txt`, { exact: true }).click()
  const cover = page.getByRole('dialog', { name: `${MARKER}.txt` })
  await expect(cover.getByText('the notes of the summer')).toBeVisible()
  await page.reload()
  await expect(cover.getByText('the notes of the summer')).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  expect(new URL(page.url()).hash).toBe(`#${bundle.linkKey}`)
  await page.goBack()
  await expect(cover).toBeHidden()
  await rowNamed(page, 'pics').getByText('pics', { exact: true }).click()
  await rowNamed(page, '2026').getByText('2026', { exact: true }).click()
  await rowNamed(page, 'lake.png').getByText('lake.png', { exact: true }).click()
  const lake = page.getByRole('dialog', { name: 'lake.png' }).getByRole('img', { name: 'lake.png' })
  await expect.poll(() => lake.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640)
  expect(sent.filter((request) => textOf(request).includes(MARKER)).map((one) => one.url())).toEqual([])
  expect(sent.filter((request) => textOf(request).includes('lake.png')).map((one) => one.url())).toEqual([])
})

test('a link without its key asks for it, and says what is wrong with a key', async ({
  page,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  const sealed = words.sealedReading
  const bundle = await makeSealedBundle({ admin, adminToken, baseURL }, { page: 'the secret text' })
  await page.goto(bundle.address)
  await expect(page.getByRole('heading', { name: sealed.key.title })).toBeVisible()
  await expectAccessible(page, 'the field for a key')
  const field = page.getByLabel(sealed.key.label, { exact: true })
  const open = page.getByRole('button', { name: sealed.key.open, exact: true })
  await field.fill(bundle.linkKey.slice(1))
  await open.click()
  await expect(page.getByText(sealed.key.length)).toBeVisible()
  await field.fill(bundle.linkKey.replace(/.$/, 'B'))
  await open.click()
  await expect(page.getByText(sealed.key.ending)).toBeVisible()
  await field.fill(otherKey(bundle.linkKey))
  await open.click()
  await expect(page.getByText(sealed.key.wrong)).toBeVisible()
  await field.fill(`${baseURL}${bundle.link}`)
  await open.click()
  await expect(page.getByText('the secret text')).toBeVisible()
  expect(new URL(page.url()).hash).toBe(`#${bundle.linkKey}`)
  const { data } = await admin.call(bundleRoutes.detail, { params: { id: bundle.id } })
  expect(data.views).toBe(1)
})

test('a password is needed besides the link, and a wrong one is told', async ({
  page,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  const password = 'correct horse'
  const sent = watchRequests(page)
  const bundle = await makeSealedBundle({ admin, adminToken, baseURL }, { page: 'the secret text', password })
  await page.goto(bundle.link)
  const field = page.getByLabel(words.bundle.locked.password, { exact: true })
  const open = page.getByRole('button', { name: words.bundle.locked.open, exact: true })
  await field.fill('wrong')
  await open.click()
  // Waits longer, because deriving a key from a password takes a long time on a busy machine.
  const longer = { timeout: 120_000 }
  await expect(page.getByText(words.sealedReading.password.wrong)).toBeVisible(longer)
  await field.fill(password)
  await open.click()
  await expect(page.getByText('the secret text')).toBeVisible(longer)
  expect(sent.filter((request) => textOf(request).includes(password))).toEqual([])
  // The server recognises the worker by this file name.
  expect(sent.some((request) => /\/assets\/kdf-worker-[\w-]+\.js$/.test(request.url()))).toBe(true)
})

/** Returns the file of a stored object on the disk of the server. */
async function findStored(folder: string, bytes: Uint8Array): Promise<string> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (!entry.isFile() || (await stat(file)).size !== bytes.length) continue
    if ((await readFile(file)).equals(bytes)) found.push(file)
  }
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

/** Changes the last byte of a stored object. */
async function changeStored(folder: string, bytes: Uint8Array): Promise<void> {
  const file = await findStored(folder, bytes)
  const stored = await readFile(file)
  stored[stored.length - 1] = (stored.at(-1) ?? 0) ^ 1
  await writeFile(file, stored)
}

test('changed bytes are neither shown nor saved, and a manifest of another key is refused', async ({
  page,
  server,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  await withFilePicker(page)
  const bundle = await makeSealedBundle(
    { admin, adminToken, baseURL },
    { page: 'x', files: { 'a.txt': encode('the notes'), 'large.bin': noise(3 * MIB) } },
  )
  for (const { bytes } of bundle.objects) await changeStored(server.dataDirectory, bytes)
  await page.goto(bundle.link)
  await rowNamed(page, 'a.txt').getByText('a.txt', { exact: true }).click()
  const cover = page.getByRole('dialog', { name: 'a.txt' })
  await expect(cover.getByText(words.viewer.fault.tampered)).toBeVisible()
  await expect(cover.getByText('the notes')).toHaveCount(0)
  await page.goBack()
  await rowNamed(page, 'large.bin').getByText('large.bin', { exact: true }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: words.explorer.command.download }).click()
  await expect(page.getByText(words.sealedReading.save.tampered).first()).toBeVisible()
  expect((await savedFile(page, 'large.bin'))?.size ?? 0).toBe(0)
  // Simulates a server that returns a changed response.
  await page.route(`**/api/bundles/${bundle.slug}/opened**`, async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { data: { manifest: string } }
    const sealed = Buffer.from(reply.data.manifest, 'base64')
    sealed[60] = (sealed[60] ?? 0) ^ 1
    reply.data.manifest = sealed.toString('base64')
    await route.fulfill({ response, json: reply })
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: words.sealedReading.fault.refusedTitle })).toBeVisible()
})

test('a file that is no longer in the storage is told as such', async ({
  page,
  server,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  const bundle = await makeSealedBundle(
    { admin, adminToken, baseURL },
    { page: 'x', files: { 'a.txt': encode('the notes') } },
  )
  for (const { bytes } of bundle.objects) await rm(await findStored(server.dataDirectory, bytes))
  await page.goto(bundle.link)
  await rowNamed(page, 'a.txt').getByText('a.txt', { exact: true }).click()
  const cover = page.getByRole('dialog', { name: 'a.txt' })
  await expect(cover.getByText(words.errors.storage.object_missing)).toBeVisible()
})

test('a file is saved whole, or not at all when its connection breaks', async ({
  page,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  await withFilePicker(page)
  const large = noise(20 * MIB + 12_345)
  const bundle = await makeSealedBundle(
    { admin, adminToken, baseURL },
    { page: 'x', files: { 'large.bin': large, 'b.txt': encode('b') } },
  )
  await page.goto(bundle.link)
  const save = async () => {
    await rowNamed(page, 'large.bin').getByText('large.bin', { exact: true }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: words.explorer.command.download }).click()
  }
  let answered = 0
  await page.route(/\/api\/bundles\/[^/]+\/objects\/\d+/, async (route) => {
    answered += 1
    await (answered > 1 ? route.abort('connectionreset') : route.continue())
  })
  await save()
  const failed = say(words.sealedReading.save.failed, { name: 'large.bin', reason: '' }).slice(0, 30)
  await expect(page.getByText(failed).first()).toBeVisible({ timeout: 60_000 })
  expect((await savedFile(page, 'large.bin'))?.size ?? 0).toBe(0)
  await page.unroute(/\/api\/bundles\/[^/]+\/objects\/\d+/)
  await save()
  await expect
    .poll(async () => (await savedFile(page, 'large.bin'))?.size, { timeout: 60_000 })
    .toBe(large.length)
  expect((await savedFile(page, 'large.bin'))?.sha256).toBe(await sha256Of(large))
})

test('everything is saved as an archive, and as an encrypted copy', async ({
  page,
  admin,
  adminToken,
  baseURL,
  words,
}, testInfo) => {
  await withoutFilePicker(page)
  const bundle = await makeSealedBundle(
    { admin, adminToken, baseURL },
    {
      title: 'Summer',
      page: 'x',
      files: { 'a.txt': encode('a'), 'd/b.bin': noise(2 * MIB), 'd/e/c.txt': encode('c') },
    },
  )
  await page.goto(bundle.link)
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: words.bundle.downloadAll }).click(),
  ])
  expect(archive.suggestedFilename()).toBe('Summer.zip')
  expect(await namesIn(archive, testInfo.outputPath('all.zip'))).toEqual(['a.txt', 'd/b.bin', 'd/e/c.txt'])
  await page.getByRole('button', { name: words.sealedReading.moreActions }).click()
  const [copy] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: words.sealedReading.saveEncrypted }).click(),
  ])
  const file = testInfo.outputPath('copy.zip')
  expect(await namesIn(copy, file)).toEqual(['0.dls', '1.dls', 'dropleaf.json', 'manifest.bin'])
  const { stdout } = await run('unzip', ['-p', file, '0.dls'], { encoding: 'buffer', maxBuffer: 99 * MIB })
  expect(Buffer.from(stdout).equals(Buffer.from(bundle.objects[0]?.bytes ?? []))).toBe(true)
})

test('a bundle with one view and a PIN opens after a confirmation, and this device may come back', async ({
  page,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  const bundle = await makeSealedBundle(
    { admin, adminToken, baseURL },
    { page: 'the secret text', settings: { opening: 'ask', pin: '1234', max_views: 1 } },
  )
  await page.goto(bundle.link)
  await page.getByLabel(words.opening.pin, { exact: true }).fill('1234')
  await expect(page.getByText('the secret text')).toHaveCount(0)
  await holdByMouse(page, openButton(page, words.opening.open))
  await expect(page.getByText('the secret text')).toBeVisible()
  await page.reload()
  await expect(page.getByText('the secret text')).toBeVisible()
  // Simulates a new tab, which has no ticket.
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await expect(page.getByText('the secret text')).toBeVisible()
  const { data } = await admin.call(bundleRoutes.detail, { params: { id: bundle.id } })
  expect(data.views).toBe(1)
})

const ONE_VIEW = { opening: 'ask', max_views: 1 } as const

test('asks, and has no key: the key is entered before the reader confirms', async ({
  page,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  const { key } = words.sealedReading
  const bundle = await makeSealedBundle(
    { admin, adminToken, baseURL },
    { page: 'the secret text', settings: ONE_VIEW },
  )
  const question = page.getByText(words.opening.bundle)
  await page.goto(bundle.address)
  await expect(page.getByRole('heading', { name: key.title })).toBeVisible()
  await expect(question).toHaveCount(0)
  await page.goto('about:blank')
  await page.goto(bundle.link.slice(0, -3))
  await expect(page.getByText(key.length)).toBeVisible()
  await page.getByLabel(key.label, { exact: true }).fill(bundle.linkKey)
  await page.getByRole('button', { name: key.open, exact: true }).click()
  await expect(question).toBeVisible()
  expect(await viewsOf({ admin, adminToken, baseURL }, bundle)).toBe(0)
  await holdByMouse(page, openButton(page, words.opening.open))
  await expect(page.getByText('the secret text')).toBeVisible()
  expect(await viewsOf({ admin, adminToken, baseURL }, bundle)).toBe(1)
})

test('asks, wrong key: the key is asked for again, and no view is taken', async ({
  page,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  const { key } = words.sealedReading
  const bundle = await makeSealedBundle(
    { admin, adminToken, baseURL },
    { page: 'the secret text', settings: ONE_VIEW },
  )
  await page.goto(`${bundle.address}#${otherKey(bundle.linkKey)}`)
  await holdByMouse(page, openButton(page, words.opening.open))
  await expect(page.getByText(key.wrong)).toBeVisible()
  expect(await viewsOf({ admin, adminToken, baseURL }, bundle)).toBe(0)
  await page.getByLabel(key.label, { exact: true }).fill(`${baseURL}${bundle.link}`)
  await page.getByRole('button', { name: key.open, exact: true }).click()
  await holdByMouse(page, openButton(page, words.opening.open))
  await expect(page.getByText('the secret text')).toBeVisible()
  expect(await viewsOf({ admin, adminToken, baseURL }, bundle)).toBe(1)
})

test('asks, wrong password: the password is asked for again, and no view is taken', async ({
  page,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  const bundle = await makeSealedBundle(
    { admin, adminToken, baseURL },
    { page: 'the secret text', password: 'right', settings: ONE_VIEW },
  )
  // Waits longer, because deriving a key from a password takes long on a busy machine.
  const longer = { timeout: 120_000 }
  const enter = async (password: string) => {
    await page.getByLabel(words.bundle.locked.password, { exact: true }).fill(password)
    await page.getByRole('button', { name: words.bundle.locked.open, exact: true }).click()
    await expect(page.getByText(words.opening.bundle)).toBeVisible(longer)
    await holdByMouse(page, openButton(page, words.opening.open))
  }
  await page.goto(bundle.link)
  await enter('wrong')
  await expect(page.getByText(words.sealedReading.password.wrong)).toBeVisible()
  expect(await viewsOf({ admin, adminToken, baseURL }, bundle)).toBe(0)
  await enter('right')
  await expect(page.getByText('the secret text')).toBeVisible()
})

const SUBSTITUTE = 'the substitute of somebody else'

/** Moves the link suffix of an encrypted bundle to an unencrypted one, as an attacker with access to the database could. */
function replaceInDatabase(
  dataDirectory: string,
  { id, slug }: { id: string; slug: string },
  by: string,
): void {
  const database = new DatabaseSync(join(dataDirectory, 'dropleaf.sqlite'), { timeout: 10_000 })
  try {
    const rename = database.prepare('UPDATE bundles SET slug = ? WHERE id = ?')
    rename.run(`${slug}-before`, id)
    rename.run(slug, by)
  } finally {
    database.close()
  }
}

/** Records whether a text is ever shown. @returns a function that reports it */
async function watchFor(page: Page, text: string) {
  await page.addInitScript((watched) => {
    const look = () => {
      if (document.body?.innerText.includes(watched)) Object.assign(globalThis, { textShown: true })
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, text)
  return () => page.evaluate(() => 'textShown' in globalThis)
}

const forgetEverything = (page: Page) =>
  page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })

test('an open bundle in the place of an encrypted one is not shown to those who have the key', async ({
  page,
  server,
  admin,
  adminToken,
  baseURL,
  words,
}) => {
  const maker = { admin, adminToken, baseURL }
  const { replaced } = words.sealedReading
  const bundle = await makeSealedBundle(maker, { page: 'the secret text' })
  const open = await makeBundle(maker, { page: SUBSTITUTE })
  const way = page.getByRole('button', { name: replaced.way, exact: true })
  const wasShown = await watchFor(page, SUBSTITUTE)
  const expectRefused = async (text: string) => {
    await expect(page.getByRole('heading', { name: replaced.title })).toBeVisible()
    await expect(page.getByText(text, { exact: true })).toBeVisible()
    expect(await wasShown()).toBe(false)
  }
  await page.goto(bundle.link)
  await expect(page.getByText('the secret text')).toBeVisible()
  replaceInDatabase(server.dataDirectory, bundle, open.id)
  // This browser has read the encrypted bundle, so it offers no button to open the replacement.
  await page.reload()
  await expectRefused(replaced.keyText)
  await expect(way).toHaveCount(0)
  await expectAccessible(page, 'a replaced bundle')
  await page.goto('about:blank')
  await page.goto(bundle.address)
  await expectRefused(replaced.linkText)
  // A browser that has never seen the bundle cannot know whether the fragment is a key.
  await forgetEverything(page)
  await page.goto('about:blank')
  await page.goto(bundle.link)
  await expectRefused(replaced.wayText)
  // Without HTTPS, nothing can be decrypted.
  await page.goto(fromLan(`${baseURL ?? ''}${bundle.link}`))
  await expectRefused(replaced.wayText)
  expect(await viewsOf(maker, open)).toBe(0)
  await page.goto(bundle.link)
  await way.click()
  await expect(page.getByText(SUBSTITUTE)).toBeVisible()
  await expect(page.getByRole('toolbar')).toBeVisible()
  expect(new URL(page.url()).hash).toBe('')
  // A link with a key that the reader pastes while the page is open loads no new page.
  await page.evaluate((linkKey) => {
    window.location.hash = linkKey
  }, bundle.linkKey)
  await expect(page.getByText(replaced.wayText)).toBeVisible()
  await expect(page.getByText(SUBSTITUTE)).toHaveCount(0)
})

test('the id of a heading of an open bundle is no key, also if it is as long as one', async ({
  page,
  admin,
  adminToken,
  baseURL,
}) => {
  const heading = 'a'.repeat(30)
  const bundle = await makeBundle({ admin, adminToken, baseURL }, { page: `## ${heading}` })
  await page.goto(`${bundle.address}#user-content-${heading}`)
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
})

test('a page says what is hidden and what is not', async ({ page, admin, adminToken, baseURL, words }) => {
  const bundle = await makeSealedBundle({ admin, adminToken, baseURL }, { page: 'x' })
  await page.goto(bundle.link)
  await page.getByRole('link', { name: words.sealing.switch.about }).click()
  await expect(page.getByRole('heading', { name: words.sealedReading.page.title })).toBeVisible()
  await expect(page.getByText(words.sealedReading.page.audit)).toBeVisible()
  expect(page.url()).not.toContain(bundle.linkKey)
  await expectAccessible(page, 'the page about encryption')
  await page.goBack()
  await expect(page.getByText(words.sealedReading.badge)).toBeVisible()
  expect(new URL(page.url()).hash).toBe(`#${bundle.linkKey}`)
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a recording in a bucket plays from its middle, and little of it is fetched', async ({
    page,
    admin,
    adminToken,
    baseURL,
  }) => {
    test.skip(!hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')
    const { configId } = await mountBucket(admin, '/sealed-media')
    const SECONDS = 5000
    const bundle = await makeSealedBundle(
      { admin, adminToken, baseURL },
      {
        storageId: configId,
        page: 'x',
        files: { 'long.wav': makeLongSound(SECONDS) },
        types: { 'long.wav': 'audio/wav' },
      },
    )
    let fetchedBytes = 0
    const virtual: string[] = []
    const relayed: string[] = []
    page.on('response', (response) => {
      const url = response.url()
      if (url.startsWith(process.env['TEST_S3_ENDPOINT'] ?? ' '))
        fetchedBytes += Number(response.headers()['content-length'] ?? 0)
      if (url.includes('/s-media/')) virtual.push(`${response.fromServiceWorker()}`)
      if (/\/objects\/\d+/.test(url)) relayed.push(url)
    })
    await page.goto(bundle.link)
    await workerReady(page)
    await rowNamed(page, 'long.wav').getByText('long.wav', { exact: true }).click()
    const audio = page.locator('audio')
    await expect.poll(() => audio.evaluate((media: HTMLAudioElement) => media.duration)).toBe(SECONDS)
    const before = fetchedBytes
    const at = await audio.evaluate(async (media: HTMLAudioElement) => {
      const seeked = new Promise((resolve) => media.addEventListener('seeked', resolve, { once: true }))
      media.currentTime = media.duration / 2
      await seeked
      return [media.currentTime, media.readyState] as const
    })
    expect(at[0]).toBe(SECONDS / 2)
    expect(at[1]).toBeGreaterThanOrEqual(2)
    expect(virtual.length).toBeGreaterThan(0)
    expect(new Set(virtual)).toEqual(new Set(['true']))
    expect(relayed).toEqual([])
    expect(before).toBeLessThan(6 * MIB)
    expect(fetchedBytes - before).toBeLessThanOrEqual(6 * MIB)
  })

  test('a page that is gone leaves no address that answers', async ({ page, admin, adminToken, baseURL }) => {
    const bundle = await makeSealedBundle(
      { admin, adminToken, baseURL },
      { page: 'x', files: { 'long.wav': makeLongSound(500) }, types: { 'long.wav': 'audio/wav' } },
    )
    await page.goto(bundle.link)
    await workerReady(page)
    await rowNamed(page, 'long.wav').getByText('long.wav', { exact: true }).click()
    const address = await page.locator('audio').evaluate((media: HTMLAudioElement) => media.src)
    expect(address).toContain('/s-media/')
    const status = () => page.evaluate(async (url) => (await fetch(url)).status, address)
    expect(await status()).toBe(200)
    await page.goto('/')
    await workerReady(page)
    expect(await status()).toBe(404)
  })
})

/** Size of a file that is too large for a phone to collect in memory. */
const LARGE_BYTES = 65 * MIB + 4321
const OBJECT_PATH = /\/api\/bundles\/[^/]+\/objects\/\d+/

test.describe('on a phone without a file dialog', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('a large file is collected on the disk, and continues after its connection broke', async ({
    page,
    admin,
    adminToken,
    baseURL,
    words,
  }, testInfo) => {
    await withoutFilePicker(page)
    const large = noise(LARGE_BYTES)
    const bundle = await makeSealedBundle({ admin, adminToken, baseURL }, { files: { 'large.bin': large } })
    await page.goto(bundle.link)
    const button = page.getByRole('button', { name: words.files.view.download, exact: true })
    const ranges: number[] = []
    let isCut = false
    await page.route(OBJECT_PATH, async (route) => {
      const [, first = '0'] = /bytes=(\d+)-/.exec(route.request().headers()['range'] ?? '') ?? []
      isCut ||= Number(first) > 40 * MIB
      if (!isCut) ranges.push(Number(first))
      await (isCut ? route.abort('connectionreset') : route.continue())
    })
    await button.tap()
    const failed = say(words.sealedReading.save.failed, { name: 'large.bin', reason: '' }).slice(0, 30)
    await expect(page.getByText(failed).first()).toBeVisible({ timeout: 90_000 })
    await page.unroute(OBJECT_PATH)
    const again: number[] = []
    page.on('request', (request) => {
      const [, first] = /bytes=(\d+)-/.exec(request.headers()['range'] ?? '') ?? []
      if (OBJECT_PATH.test(request.url()) && first !== undefined) again.push(Number(first))
    })
    await page.reload()
    const [download] = await Promise.all([page.waitForEvent('download'), button.tap()])
    const file = testInfo.outputPath('large.bin')
    await download.saveAs(file)
    expect(await sha256Of(new Uint8Array(await readFile(file)))).toBe(await sha256Of(large))
    // The preview reads the start of the file, and the download requests only the missing bytes.
    const isRepeated = (first: number) => first > MIB && first < 16 * MIB
    expect(ranges.some(isRepeated)).toBe(true)
    expect(again.filter(isRepeated)).toEqual([])
    expect(Math.max(...again)).toBeGreaterThan(40 * MIB)
  })

  test.describe('and without room on the disk', () => {
    test.use({ serviceWorkers: 'allow' })

    test('a large file passes through the service worker, and a broken one is told and not kept', async ({
      page,
      admin,
      adminToken,
      baseURL,
      words,
      server,
    }, testInfo) => {
      await withoutFilePicker(page)
      await page.addInitScript(() => {
        Object.assign(navigator.storage, { estimate: async () => ({ quota: 0, usage: 0 }) })
        const { serviceWorker } = navigator
        const register = serviceWorker.register.bind(serviceWorker)
        const held = Promise.withResolvers<void>()
        Object.assign(serviceWorker, {
          register: async (...args: Parameters<typeof register>) => {
            await held.promise
            return register(...args)
          },
        })
        Object.assign(window, { letRegister: held.resolve })
      })
      const large = noise(LARGE_BYTES)
      const bundle = await makeSealedBundle({ admin, adminToken, baseURL }, { files: { 'large.bin': large } })
      await page.goto(bundle.link)
      const button = page.getByRole('button', { name: words.files.view.download, exact: true })
      await button.tap()
      // On a first visit, the download waits for the service worker.
      await expect(page.getByText(say(words.tasks.notice.downloading, { name: 'large.bin' }))).toBeVisible()
      await page.getByRole('button', { name: words.tasks.notice.show }).tap()
      const { panel } = trayOf(page, words)
      await expect(panel.getByText('large.bin')).toBeVisible()
      await panel.getByRole('button', { name: words.common.close, exact: true }).tap()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.evaluate(() => (window as unknown as { letRegister: () => void }).letRegister()),
      ])
      const file = testInfo.outputPath('large.bin')
      await download.saveAs(file)
      expect(await sha256Of(new Uint8Array(await readFile(file)))).toBe(await sha256Of(large))
      expect(download.url()).toContain('/s-download/')
      for (const { bytes } of bundle.objects) await changeStored(server.dataDirectory, bytes)
      const [broken] = await Promise.all([page.waitForEvent('download'), button.tap()])
      expect(await broken.failure()).not.toBeNull()
      await expect(page.getByText(words.sealedReading.save.tampered).first()).toBeVisible()
    })
  })
})
