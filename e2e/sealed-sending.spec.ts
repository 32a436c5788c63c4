import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { bundleRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Locale } from '../apps/web/src/locales/zh-CN/index.ts'
import { logIn } from './support/api.ts'
import { hasBuckets, type MountedBucket, mountBucket } from './support/bucket.ts'
import { fromLan } from './support/lan.ts'
import { bytesOf, hashOf, holdLine, MIB, watchSent } from './support/uploading.ts'
import { expect, test } from './support/explorer.ts'
import { type Opened, openLink, readItem, recordRequests } from './support/sealed/links.ts'
import { startServer } from './support/server.ts'
import { ADMIN_PASSWORD, unfoldOptions } from './support/test.ts'
import { say } from './support/worlds.ts'

/** Sends encrypted bundles, and searches everything that the browser has sent for unencrypted contents. */

const MARKER = 'MARKER-that-nobody-may-find'
const TITLE = 'Confidential title'
const NAME = 'confidential-name'
/** Number of unencrypted bytes in a part. */
const PART = 8 * MIB
const AT_ONCE = 3

const seal = (page: Page, words: Locale) =>
  page.getByRole('checkbox', { name: words.common.sealed.label, exact: true }).check()

const linkOn = async (page: Page): Promise<string> => {
  const link = page.locator('a[href*="/s/"][href*="#"]').first()
  await expect(link).toBeVisible()
  return (await link.textContent()) ?? ''
}

/** Texts that must not appear in any request or file. */
const secretsOf = (link: string, { proof }: Pick<Opened, 'proof'>) => [
  MARKER,
  TITLE,
  NAME,
  new URL(link).hash.slice(1),
  proof,
]

test('a text of the home page is encrypted on the device, and its link opens it', async ({
  adminPage: page,
  admin,
  words,
}) => {
  const sent = recordRequests(page)
  await page.goto('/')
  const field = page.locator('.cm-content, #content textarea').first()
  await field.click()
  await page.keyboard.type(`Hello ${MARKER}`)
  await page.getByLabel(words.common.remark.label, { exact: true }).fill(TITLE)
  await page.getByLabel(words.common.password.label, { exact: true }).fill(NAME)
  await seal(page, words)
  await page.getByRole('button', { name: words.home.submit, exact: true }).click()
  const link = await linkOn(page)
  await expect(page.getByText(words.sealing.lostKey)).toBeVisible()
  await expect(page.getByRole('button', { name: words.common.qrCode })).toBeVisible()
  const opened = await openLink(admin, link, NAME)
  expect(opened.manifest).toMatchObject({ title: TITLE, page: { text: `Hello ${MARKER}` }, objects: [] })
  const all = sent.join('\n')
  for (const secret of secretsOf(link, opened)) expect(all).not.toContain(secret)
  expect(
    sent.filter((line) => line.startsWith('POST') && /\/api\/(?:pastes?|bundles)/.test(line)),
  ).toHaveLength(1)
  const { data: own } = await admin.call(bundleRoutes.detail, { params: { id: opened.slug } })
  expect(own).toMatchObject({ title: null, plain_password: null, manifest: null, revision: 1 })
  await page.reload()
  await seal(page, words)
  expect(await page.title()).not.toContain(new URL(link).hash.slice(1))
})

test('the list says what this browser can open, and a logout names what it loses', async ({
  page,
  admin,
  words,
  server,
}) => {
  // Uses a new session, because the logout ends the session.
  const token = await logIn(server.origin, ADMIN_PASSWORD)
  await page.goto('/api/health')
  await page.evaluate((value) => localStorage.setItem('admin_token', value), token)
  await page.goto('/')
  await page.locator('.cm-content, #content textarea').first().click()
  await page.keyboard.type('kept here')
  await page.getByLabel(words.common.remark.label, { exact: true }).fill(TITLE)
  await page.getByLabel(words.common.slug.label, { exact: true }).fill('kept-here')
  await seal(page, words)
  await page.getByRole('button', { name: words.home.submit, exact: true }).click()
  const link = await linkOn(page)

  await page.goto('/admin/shares')
  const row = page.getByRole('row').filter({ hasText: TITLE })
  await expect(row.getByTitle(words.sealing.canOpen)).toBeVisible()
  await expect(row.getByRole('link', { name: TITLE })).toHaveAttribute('href', new RegExp(new URL(link).hash))
  await row.getByRole('button', { name: say(words.shares.actions.edit, { name: TITLE }) }).click()
  await expect(page.getByRole('textbox', { name: words.bundleEditing.name, exact: true })).toHaveValue(TITLE)
  await page.getByRole('button', { name: words.bundleEditing.settings, exact: true }).click()
  await expect(page.getByText(words.sealing.noPasswordChange)).toBeVisible()

  await page.goto('/admin/settings')
  const logOut = page.getByRole('button', { name: words.common.logOut, exact: true }).first()
  await logOut.click()
  const question = page.getByRole('dialog', { name: words.sealing.logout.title })
  await expect(question.getByText(TITLE)).toBeVisible()
  await question.getByRole('button', { name: words.common.cancel, exact: true }).click()
  await logOut.click()
  await question.getByRole('button', { name: words.sealing.logout.confirm, exact: true }).click()
  await expect(question).toBeHidden()
  const countKeys = () =>
    page.evaluate(async () => {
      const request = indexedDB.open('dropleaf-sealed-keys')
      await new Promise((resolve) => request.addEventListener('success', resolve))
      const found = request.result.transaction('keys').objectStore('keys').count()
      await new Promise((resolve) => found.addEventListener('success', resolve))
      return found.result
    })
  await expect.poll(countKeys).toBe(0)
  const { data: own } = await admin.call(bundleRoutes.detail, { params: { id: 'kept-here' } })
  expect(own.revision).toBe(1)
})

test('a file goes encrypted through the server where the storage is its own disk', async ({
  adminPage: page,
  admin,
  words,
  baseURL,
}, testInfo) => {
  const path = testInfo.outputPath(`${NAME}-disk.bin`)
  const bytes = Buffer.concat([Buffer.from(MARKER), bytesOf(PART + MIB, 'disk')])
  await writeFile(path, bytes)
  const payload = watchSent(page)
  await page.goto('/upload')
  await page.locator('input[type=file]').first().setInputFiles(path)
  await seal(page, words)
  await page.getByRole('button', { name: words.files.upload.start, exact: true }).click()
  const link = await linkOn(page)
  const opened = await openLink(admin, link)
  expect(hashOf(await readItem(admin, opened, `${NAME}-disk.bin`, baseURL))).toBe(hashOf(bytes))
  expect(payload.map(({ host }) => host)).toEqual([new URL(page.url()).host, new URL(page.url()).host])
})

test('an encrypted copy of a folder is made in the browser, and has its tree', async ({
  adminPage: page,
  admin,
  explorer,
  place,
  words,
  baseURL,
}) => {
  await place.put({ 'deep/': '', [`deep/${NAME}.txt`]: MARKER, 'deep/more/': '', 'deep/more/b.txt': 'b' })
  const sent = recordRequests(page)
  await page.goto(place.address)
  await explorer.openMenu('deep')
  await explorer.item(words.explorer.command.sealedCopy).click()
  await explorer.answer(words.sealing.copyDialog.start)
  const link = await linkOn(page)
  const opened = await openLink(admin, link)
  expect(opened.manifest.items.map(({ path }) => path).toSorted()).toEqual([
    `deep/${NAME}.txt`,
    'deep/more/b.txt',
  ])
  const read = await readItem(admin, opened, `deep/${NAME}.txt`, baseURL)
  expect(Buffer.from(read).toString()).toBe(MARKER)
  const { hash } = new URL(link)
  for (const secret of [hash.slice(1), opened.proof, MARKER]) expect(sent.join('\n')).not.toContain(secret)
})

test('the administrator decides whether encryption is possible, proposed or required', async ({
  browser,
  words,
}) => {
  const server = await startServer({ adminPassword: ADMIN_PASSWORD })
  const token = await logIn(server.origin, ADMIN_PASSWORD)
  const context = await browser.newContext()
  await unfoldOptions(context)
  const page = await context.newPage()
  const box = page.getByRole('checkbox', { name: words.common.sealed.label, exact: true })
  await page.goto(`${server.origin}/api/health`)
  await page.evaluate((value) => localStorage.setItem('admin_token', value), token)
  const choose = async (policy: keyof Locale['settings']['uploads']['sealedPolicies']) => {
    await page.goto(`${server.origin}/admin/settings`)
    await page.getByLabel(words.settings.uploads.sealedPolicy).selectOption(policy)
    await expect(page.getByText(words.settings.uploads.sealedHints[policy])).toBeVisible()
    await page.getByRole('button', { name: words.common.save, exact: true }).first().click()
    await expect(page.getByText(words.settings.saved)).toBeVisible()
    await page.goto(`${server.origin}/upload`)
    await expect(page.getByRole('button', { name: words.files.upload.start, exact: true })).toBeVisible()
  }
  await choose('required')
  await expect(box).toBeChecked()
  await expect(box).toBeDisabled()
  await page.getByText(words.files.upload.tabs.url, { exact: true }).click()
  await expect(page.getByText(words.sealing.urlRequired)).toBeVisible()
  // Over plain HTTP the browser cannot encrypt. The folded options do not hide the reason.
  const plain = await browser.newPage()
  await plain.goto(`${fromLan(server.origin)}/api/health`)
  await plain.evaluate((value) => localStorage.setItem('admin_token', value), token)
  for (const [path, name] of [
    ['/', words.home.submit],
    ['/upload', words.files.upload.start],
  ] as const) {
    await plain.goto(`${fromLan(server.origin)}${path}`)
    await expect(plain.getByText(words.sealing.switch.blocked)).toBeInViewport({ ratio: 1 })
    await expect(plain.getByRole('button', { name, exact: true })).toBeDisabled()
    await expect(plain.getByRole('button', { name: words.home.options })).toHaveAttribute(
      'aria-expanded',
      'false',
    )
  }
  await fetch(`${server.origin}/api/fs/mkdir`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path: '/local/plain' }),
  })
  await plain.goto(`${fromLan(server.origin)}/mount-explorer/local`)
  await plain.getByRole('link', { name: 'plain', exact: true }).click({ button: 'right' })
  await plain.getByRole('menuitem', { name: words.explorer.command.share, exact: true }).click()
  await expect(plain.getByText(words.sealing.switch.blocked)).toBeInViewport({ ratio: 1 })
  await expect(plain.locator('dialog[open]')).toHaveCount(0)
  await plain.close()
  await choose('default')
  await expect(box).toBeChecked()
  await expect(box).toBeEnabled()
  await choose('off')
  await expect(box).toBeHidden()
  await context.close()
  await server.stop()
})

test.describe('with a bucket', () => {
  test.skip(!hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')

  let bucket: MountedBucket
  // Uses a random name, because a worker can run this hook several times.
  test.beforeAll(async ({ admin }) => {
    bucket = await mountBucket(admin, `/sealed-${randomBytes(4).toString('hex')}`)
  })

  async function openUploadPage(page: Page, words: Locale, paths: readonly string[]) {
    await page.goto('/upload')
    await page.getByLabel(words.files.upload.storage, { exact: true }).selectOption(bucket.configId)
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([...paths])
    await page
      .getByLabel(words.bundling.places.name, { exact: true })
      .or(page.getByLabel(words.common.remark.label, { exact: true }))
      .first()
      .fill(TITLE)
    await seal(page, words)
    await page.getByRole('button', { name: words.files.upload.start, exact: true }).click()
  }

  test('files go encrypted and straight to the bucket', async ({
    adminPage: page,
    admin,
    words,
  }, testInfo) => {
    const sent = recordRequests(page)
    const payload = watchSent(page)
    const big = Buffer.concat([Buffer.from(MARKER), bytesOf(PART + MIB, 'sealed')])
    const paths = ['big.bin', 'a.txt', 'b.txt'].map((name) => testInfo.outputPath(`${NAME}-${name}`))
    const [bigPath = '', aPath = '', bPath = ''] = paths
    await writeFile(bigPath, big)
    await writeFile(aPath, `${MARKER} a`)
    await writeFile(bPath, `${MARKER} b`)
    await openUploadPage(page, words, paths)
    const link = await linkOn(page)
    const opened = await openLink(admin, link)
    const read = async (name: string) => readItem(admin, opened, `${NAME}-${name}`)
    expect(hashOf(await read('big.bin'))).toBe(hashOf(big))
    expect(Buffer.from(await read('a.txt')).toString()).toBe(`${MARKER} a`)
    expect(Buffer.from(await read('b.txt')).toString()).toBe(`${MARKER} b`)
    // There are two parts of the large file, and one object for the small files. No part is sent through the server.
    expect(payload).toHaveLength(3)
    for (const { host } of payload) expect(host).not.toBe(new URL(page.url()).host)
    const stored = await bucket.readAll()
    expect(stored.size).toBe(2)
    const secrets = secretsOf(link, opened)
    for (const [key, bytes] of stored)
      for (const secret of secrets) {
        expect(key).not.toContain(secret)
        expect(bytes.includes(secret)).toBe(false)
      }
    for (const secret of secrets) expect(sent.join('\n')).not.toContain(secret)
    expect(sent.filter((line) => /^POST [^ ]*\/revisions /.test(line))).toHaveLength(1)
  })

  test('a tab that was closed in the middle goes on, and sends at most the parts in flight twice', async ({
    adminPage: first,
    admin,
    words,
    context,
  }, testInfo) => {
    const PARTS = 6
    const big = bytesOf(PARTS * PART - 1000, 'resumed')
    const path = testInfo.outputPath(`${NAME}-film.bin`)
    await writeFile(path, big)
    const line = await holdLine(first)
    line.left = AT_ONCE
    const before = watchSent(first)
    await openUploadPage(first, words, [path])
    // When the tab is closed, three parts have arrived and the next three parts are in flight.
    await expect.poll(() => before.length, { timeout: 120_000 }).toBe(2 * AT_ONCE)
    await first.close()
    const page = await context.newPage()
    const sent = recordRequests(page)
    const after = watchSent(page)
    await page.goto('/upload')
    const row = page.locator('li[data-status]').first()
    await expect(row.getByText(words.bundling.row.chooseFiles)).toBeVisible()
    await row.locator('input[type=file]').first().setInputFiles(path)
    const link = await linkOn(page)
    const opened = await openLink(admin, link)
    expect(hashOf(await readItem(admin, opened, `${NAME}-film.bin`))).toBe(hashOf(big))
    expect(after.length).toBeLessThanOrEqual(AT_ONCE)
    const { data: own } = await admin.call(bundleRoutes.detail, { params: { id: opened.slug } })
    expect(own.revision).toBe(1)
    expect(sent.filter((one) => /^POST [^ ]*\/revisions /.test(one))).toHaveLength(1)
    for (const secret of secretsOf(link, opened)) expect(sent.join('\n')).not.toContain(secret)
  })
})
