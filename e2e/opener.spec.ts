import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import axeCore from 'axe-core'
import { NODE_FLAGS } from '../apps/server/src/testing/server-process.ts'
import { type CorpusShare, makeCorpusShare, sealCopy } from '../packages/seal/src/testing/corpus.ts'
import { expect, test } from './support/test.ts'

const root = path.resolve(fileURLToPath(import.meta.url), '../..')
const OPENER = pathToFileURL(path.join(root, 'apps/web/dist/open.html')).href
const CLI = path.join(root, 'apps/cli/src/main.ts')
/** Number of shares. Their keys differ in each run. */
const SHARES = Number(process.env['SEAL_CORPUS'] ?? 18)
const GROUP = 6
/** Seeds with which the corpus makes a share with a text, one with a password, and one with a title. */
const SEED = { text: 0, password: 2, title: 4 } as const

const run = promisify(execFile)

/** Opens a copy with the command line, without a server. @returns the output of the command */
async function openInTerminal(folder: string, share: CorpusShare): Promise<string> {
  const file = path.join(folder, `${share.name}.zip`)
  await writeFile(file, share.zip)
  const args = [...NODE_FLAGS, CLI, 'open', file, '-o', path.join(folder, share.name)]
  const { stdout } = await run(process.execPath, share.items.length === 0 ? args.slice(0, -2) : args, {
    maxBuffer: 64 * 1024 ** 2,
    env: {
      PATH: process.env['PATH'],
      XDG_STATE_HOME: path.join(folder, 'state'),
      DROPLEAF_SHARE_KEY: share.linkKey,
      DROPLEAF_PASSWORD: share.password ?? '',
    },
  })
  return stdout
}

async function expectInTerminal(share: CorpusShare): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dropleaf-corpus-'))
  try {
    const printed = await openInTerminal(folder, share)
    if (share.items.length === 0) {
      expect(printed).toBe(share.text)
      return
    }
    const target = path.join(folder, share.name)
    // The command saves a share with a single file as a file instead of a folder.
    const isFile = share.items.length === 1 && share.text === null && share.title === null
    const isAlone = isFile && !share.items[0]?.path.includes('/')
    for (const item of share.items) {
      const local = item.path.replaceAll(/[?]/g, '_')
      const bytes = await readFile(isAlone ? target : path.join(target, local))
      expect([item.path, Buffer.compare(bytes, item.bytes)]).toEqual([item.path, 0])
    }
    if (share.text === null) return
    const page = (await readdir(target)).find((name) => name.startsWith(`${share.title ?? 'page'}.`))
    expect(await readFile(path.join(target, page ?? ''), 'utf8')).toBe(share.text)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function choose(page: Page, { name, zip }: { name: string; zip: Uint8Array }): Promise<void> {
  // The browser refuses to read a chosen file that was overwritten.
  const file = test.info().outputPath(`${name}-${randomUUID()}.zip`)
  await writeFile(file, zip)
  await page.locator('#files').setInputFiles(file)
}

async function openShare(page: Page, share: CorpusShare, key = share.linkKey): Promise<void> {
  await choose(page, share)
  await page.locator('#key').fill(key)
  if (share.password !== null) await page.locator('#password').fill(share.password)
  await page.locator('button[type=submit]').click()
}

async function saveItem(page: Page, at: number): Promise<Buffer> {
  const row = page.locator('#items > li').nth(at)
  const downloading = page.waitForEvent('download')
  await row.getByRole('button', { name: /^Save/ }).click()
  return readFile(await (await downloading).path())
}

async function expectInPage(page: Page, share: CorpusShare): Promise<void> {
  await openShare(page, share)
  await expect(page.locator('#result')).not.toBeEmpty()
  await expect(page.locator('main > [role=alert]')).toBeEmpty()
  if (share.title === null) await expect(page.locator('#title')).toHaveCount(0)
  else await expect(page.locator('#title')).toHaveText(share.title)
  if (share.text !== null)
    expect(await page.locator('#text').evaluate((shown) => shown.textContent)).toBe(share.text)
  await expect(page.locator('#items > li')).toHaveCount(share.items.length)
  for (const [at, item] of share.items.entries()) {
    const row = page.locator('#items > li').nth(at)
    const shown = await row.locator('span').first().textContent()
    expect(shown).toBe(item.path)
    expect([item.path, Buffer.compare(await saveItem(page, at), item.bytes)]).toEqual([item.path, 0])
  }
}

/** Opens the page without a network. @returns the URLs that the page requests */
async function goOffline(page: Page): Promise<string[]> {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.context().setOffline(true)
  await page.goto(OPENER)
  return asked
}

for (let first = 0; first < SHARES; first += GROUP) {
  const end = Math.min(SHARES, first + GROUP)
  test(`shares ${first} to ${end - 1} of a corpus open alike in the page without a network and in the command line`, async ({
    page,
  }) => {
    const asked = await goOffline(page)
    for (let seed = first; seed < end; seed += 1) {
      const share = await makeCorpusShare(seed)
      await expectInPage(page, share)
      await expectInTerminal(share)
    }
    expect(asked.filter((url) => !url.startsWith('blob:'))).toEqual([OPENER])
  })
}

test('the files of a folder open without the archive', async ({ page }) => {
  await goOffline(page)
  const share = await makeCorpusShare(SEED.title)
  const files = [...share.files].map(([name, bytes]) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(bytes),
  }))
  await page.locator('#files').setInputFiles(files)
  await page.locator('#key').fill(`https://drop.example/s/x#${share.linkKey}`)
  await page.locator('button[type=submit]').click()
  await expect(page.locator('#title')).toHaveText(share.title ?? '')
  expect(Buffer.compare(await saveItem(page, 0), share.items[0]?.bytes ?? new Uint8Array())).toBe(0)
})

test('wrong keys, wrong passwords and changed copies are told apart, and give nothing', async ({ page }) => {
  await goOffline(page)
  const alert = page.locator('main > [role=alert]')
  const text = await makeCorpusShare(SEED.text)
  await openShare(page, text, text.linkKey.slice(1))
  await expect(alert).toContainText('43 characters')
  await openShare(page, text, 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8')
  await expect(alert).toHaveText('The key is wrong, or the copy was changed.')
  await choose(page, { name: 'other', zip: Buffer.from('PK no archive') })
  await expect(alert).toContainText('not an encrypted copy')
  const guarded = await makeCorpusShare(SEED.password)
  await openShare(page, { ...guarded, password: null })
  await expect(alert).toHaveText('The share has a password. Enter it.')
  await openShare(page, { ...guarded, password: 'wrong' })
  await expect(alert).toHaveText('The password or the key is wrong, or the copy was changed.')
  await expect(page.locator('#result')).toBeEmpty()
  await openShare(page, guarded)
  await expect(page.locator('#items > li')).toHaveCount(guarded.items.length)
})

test('a changed object saves nothing', async ({ page }) => {
  await goOffline(page)
  const share = await makeCorpusShare(SEED.title)
  const object = share.files.get('0.dls') ?? new Uint8Array()
  const at = Buffer.from(share.zip).indexOf(object)
  const zip = Buffer.from(share.zip)
  for (let byte = at + 32; byte < at + object.length; byte += 1000) zip[byte] = (zip[byte] ?? 0) ^ 1
  await openShare(page, { ...share, zip: new Uint8Array(zip) })
  const downloads: unknown[] = []
  page.on('download', (download) => downloads.push(download))
  // Saves the largest file of this object, which holds all files below 1 MiB.
  const sizes = share.items.map(({ bytes }) => bytes.length)
  const largest = sizes.indexOf(Math.max(...sizes.filter((size) => size < 1024 ** 2)))
  const row = page.locator('#items > li').nth(largest)
  await row.getByRole('button', { name: /^Save/ }).click()
  await expect(row.getByRole('alert')).toContainText('changed or damaged')
  expect(downloads).toEqual([])
})

test('a copy that was overwritten after it was chosen is named, and saves nothing', async ({ page }) => {
  await goOffline(page)
  const share = await makeCorpusShare(SEED.title)
  const file = test.info().outputPath('copy.zip')
  await writeFile(file, share.zip)
  await page.locator('#files').setInputFiles(file)
  await page.locator('#key').fill(share.linkKey)
  await page.locator('button[type=submit]').click()
  const row = page.locator('#items > li').first()
  await expect(row).toBeVisible()
  await writeFile(file, 'another file')
  await row.getByRole('button', { name: /^Save/ }).click()
  await expect(row.getByRole('alert')).toContainText('changed or moved after you chose it')
})

/** Replaces the file picker of the browser, which a test cannot operate. Records what happens to the file. */
function pretendPicker(): void {
  const log: string[] = []
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const file = {
    write: async (bytes: Uint8Array<ArrayBuffer>) => void pieces.push(bytes.slice()),
    close: async () => void log.push('closed'),
    abort: async () => void log.push('aborted'),
  }
  const showSaveFilePicker = async ({ suggestedName }: { suggestedName: string }) => {
    log.push(suggestedName)
    return { createWritable: async () => file }
  }
  const digest = async () => {
    const bytes = await new Blob(pieces).arrayBuffer()
    return [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
  }
  Object.assign(window, { showSaveFilePicker, picked: { log, digest } })
}

interface Picked {
  readonly picked: { readonly log: string[]; readonly digest: () => Promise<number[]> }
}

test('a large file is written while it is decrypted, and a changed one is never closed', async ({ page }) => {
  await page.addInitScript(pretendPicker)
  await goOffline(page)
  // The page writes files above 32 MiB piece by piece.
  const bytes = new Uint8Array(Buffer.alloc(33 * 1024 ** 2, 'Dropleaf'))
  const items = [{ path: 'sub/film.mp4', bytes }]
  const share = await sealCopy({
    name: 'large',
    title: null,
    text: null,
    items,
    password: null,
    isTextStored: false,
  })
  const save = page.getByRole('button', { name: 'Save: sub/film.mp4' })
  const logOf = () => page.evaluate(() => (window as unknown as Picked).picked.log)
  await openShare(page, share)
  await save.click()
  await expect(save).toHaveText('Saved')
  expect(await logOf()).toEqual(['film.mp4', 'closed'])
  const digest = await page.evaluate(() => (window as unknown as Picked).picked.digest())
  expect(Buffer.from(digest).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
  const zip = Buffer.from(share.zip)
  const object = share.files.get('0.dls') ?? new Uint8Array()
  const last = zip.indexOf(object.subarray(0, 32)) + object.length - 20
  zip[last] = (zip[last] ?? 0) ^ 1
  await openShare(page, { ...share, zip: new Uint8Array(zip) })
  await save.click()
  await expect(page.locator('#items').getByRole('alert')).toContainText('changed or damaged')
  expect(await logOf()).toEqual(['film.mp4', 'closed', 'film.mp4', 'aborted'])
})

test('a text file is shown as text, and everything is accessible in light and dark', async ({ page }) => {
  await goOffline(page)
  const words = '<b onclick="x">bold</b>\n你好'
  const items = [
    { path: 'notes.txt', bytes: new Uint8Array(Buffer.from(words)) },
    { path: 'other.bin', bytes: new Uint8Array(10) },
  ]
  const share = await sealCopy({
    name: 'shown',
    title: 'Shown',
    text: 'page',
    items,
    password: 'word',
    isTextStored: false,
  })
  await openShare(page, share)
  await page.getByRole('button', { name: 'Show' }).click()
  expect(await page.locator('#items pre').evaluate((shown) => shown.textContent)).toBe(words)
  await page.evaluate(axeCore.source)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page, axeSource: ';' }).setLegacyMode().analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  }
  await page.getByRole('button', { name: 'Hide' }).click()
  await expect(page.locator('#items pre')).toHaveCount(0)
})

test('the policy of the page allows neither a network nor another script', async ({ page }) => {
  await page.goto(OPENER)
  const tried = await page.evaluate(async () => {
    const blocked: string[] = []
    document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective))
    const fetched = await fetch('https://drop.example/').then(
      () => 'sent',
      () => 'refused',
    )
    const image = new Image()
    image.src = 'https://drop.example/a.png'
    await new Promise((resolve) => image.addEventListener('error', resolve))
    return { fetched, blocked }
  })
  expect(tried).toEqual({ fetched: 'refused', blocked: ['connect-src', 'img-src'] })
})

test.describe('with a Chinese browser', () => {
  test.use({ locale: 'zh-CN', colorScheme: 'dark' })
  test('the page is Chinese and dark', async ({ page }) => {
    await goOffline(page)
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
    await expect(page.getByRole('heading', { name: '打开加密副本' })).toBeVisible()
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(20, 23, 21)')
  })
})

test('a server serves the page with its own policy', async ({ page, baseURL }) => {
  const share = await makeCorpusShare(SEED.password)
  const answer = await page.goto(`${baseURL}/open.html#${share.linkKey}`)
  expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
  await choose(page, share)
  await page.locator('#password').fill(share.password ?? '')
  await page.locator('button[type=submit]').click()
  await expect(page.locator('#items > li')).toHaveCount(share.items.length)
})
