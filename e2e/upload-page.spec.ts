import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { authRoutes, fileRoutes, storageConfigRoutes, taskRoutes, urlRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Locale } from '../apps/web/src/locales/zh-CN/index.ts'
import { Api, logIn } from './support/api.ts'
import { hasBuckets, mountBucket } from './support/bucket.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { type RunningServer, startServer } from './support/server.ts'
import { ADMIN_PASSWORD } from './support/test.ts'
import {
  bytesOf,
  hashOf,
  holdLine,
  MIB,
  openTray,
  patternOf,
  payload,
  watchSent,
  wantLinkEach,
} from './support/uploading.ts'
import { expect, inOppositeWorlds, say, test } from './support/worlds.ts'

const bytes = bytesOf(17 * MIB, 'web')
const BUCKET = 'Bucket /shares'
const PIECES = 17
const PIECE_MS = 25

let product: RunningServer
let source: Server
let admin: Api
let token = ''
/** Paths of requests that clients closed before the end. */
const abandoned: string[] = []

/**
 * Creates a slow website. `/open/` allows other sites to read it, `/closed/` does not, `/missing/` responds with 404,
 * and the responses of `/slow/` never end.
 */
function startSource(): Server {
  return createServer((request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/open/')) response.setHeader('access-control-allow-origin', '*')
    if (path.startsWith('/missing/')) response.statusCode = 404
    response.setHeader('content-type', 'application/octet-stream')
    response.setHeader('content-length', bytes.length)
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    if (path.startsWith('/slow/')) response.on('close', () => abandoned.push(path))
    void (async () => {
      for (let piece = 0; piece < PIECES && !response.destroyed; piece += 1) {
        response.write(bytes.subarray(piece * MIB, (piece + 1) * MIB))
        await sleep(PIECE_MS)
        if (path.startsWith('/slow/')) return
      }
      response.end()
    })()
  })
}

const addressOf = (path: string) => `http://127.0.0.1:${(source.address() as AddressInfo).port}${path}`

test.beforeAll(async () => {
  source = startSource().listen(0, '127.0.0.1')
  await once(source, 'listening')
  product = await startServer({ adminPassword: ADMIN_PASSWORD, env: { URL_FETCH_ALLOW: '127.0.0.1' } })
  token = await logIn(product.origin, ADMIN_PASSWORD)
  admin = new Api(product.origin).withToken(token)
  if (hasBuckets()) await mountBucket(admin, '/shares')
})
test.afterAll(async () => {
  await product.stop()
  source.closeAllConnections()
  source.close()
})

async function openPage(page: Page, credential = token) {
  await wantLinkEach(page)
  await page.goto(`${product.origin}/api/health`)
  await page.evaluate((value) => localStorage.setItem('admin_token', value), credential)
  await page.goto(`${product.origin}/upload`)
}

async function sharesOf(slug: string) {
  const { data } = await admin.call(fileRoutes.adminList, {
    query: { limit: 100, offset: 0, created_by: null, s3_config_id: null },
  })
  return data.files.filter((file) => file.slug === slug)
}

async function hashOfShare(slug: string): Promise<string> {
  const answer = await fetch(`${product.origin}/api/file-download/${slug}`)
  return hashOf(new Uint8Array(await answer.arrayBuffer()))
}

/** Records every text of the progress line. */
async function recordStages(page: Page) {
  const texts: string[] = []
  await page.exposeFunction('noteStage', (text: string) => texts.push(text))
  const watch = () =>
    page.evaluate(() => {
      const told = window as unknown as { noteStage: (text: string) => void }
      const look = () =>
        told.noteStage(document.querySelector('[data-stage] output')?.parentElement?.textContent ?? '')
      const changes = { subtree: true, childList: true, characterData: true }
      new MutationObserver(look).observe(document.body, changes)
    })
  return { texts, watch }
}

const percentsIn = (texts: readonly string[], stage: string) =>
  texts
    .filter((text) => text.startsWith(`${stage} · `))
    .map((text) => /(\d+)\s?%/.exec(text)?.[1])
    .filter((text) => text !== undefined)
    .map(Number)

inOppositeWorlds((world) => {
  const isBucket = world.storage === 'bucket'
  const mark = `${world.storage}-${world.language.slice(0, 2)}-${world.device}`
  test.skip(() => isBucket && !hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')

  /** Selects the storage of the world in the form. */
  async function chooseStorage(page: Page, words: Locale) {
    const field = page.getByLabel(words.files.upload.storage, { exact: true })
    if (!isBucket) return
    const { data } = await admin.call(storageConfigRoutes.list)
    await field.selectOption(data.find(({ name }) => name === BUCKET)?.id ?? '')
  }
  const rowsOf = (page: Page, words: Locale) =>
    page.getByRole('region', { name: words.files.upload.list }).getByRole('listitem')
  const start = (page: Page, words: Locale) =>
    page.getByRole('button', { name: words.files.upload.start, exact: true }).click()

  test('files become shares: chosen or pasted, held, cancelled and retried', async ({ page, words }) => {
    await openPage(page)
    const sent = watchSent(page)
    const line = await holdLine(page)
    line.state = 'hold'
    const name = `${'一个名字非常非常长的文件 with a very long name '.repeat(3)}.bin`
    const large = bytesOf(3 * MIB, mark)
    await page.locator('input[type=file]').setInputFiles([payload(name, large), payload('refused.txt', 'r')])
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png' }))
      window.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }))
    })
    const rows = rowsOf(page, words)
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(2)).toContainText(
      new RegExp(`${words.files.upload.pastedName}-\\d{8}-\\d{6}\\.png`),
    )
    await chooseStorage(page, words)
    await page.getByLabel(words.common.slug.label, { exact: true }).fill(mark)
    expect(await isWiderThanScreen(page)).toBe(false)
    const spoken = (text: string, count: number) =>
      expect(page.getByRole('status').filter({ hasText: say(text, { count }) })).toHaveCount(1)
    await start(page, words)
    await spoken(words.files.upload.said.started_other, 3)
    await expect.poll(() => sent.length).toBe(3)
    const hosts = new Set(sent.map(({ host }) => host === new URL(product.origin).host))
    expect([...hosts]).toEqual([!isBucket])
    await rows
      .nth(2)
      .getByRole('button', { name: patternOf(words.files.upload.cancelOne) })
      .click()
    await expect(rows.nth(2)).toContainText(words.files.upload.status.cancelled)
    await spoken(words.files.upload.said.cancelled_one, 1)
    await expect.poll(() => sharesOf(`${mark}-3`)).toEqual([])
    for (const row of [rows.nth(0), rows.nth(1)])
      await row.getByRole('button', { name: patternOf(words.files.upload.cancelOne) }).click()
    await spoken(words.files.upload.said.cancelled_other, 3)
    await expect(page.getByRole('button', { name: words.files.upload.startAgain, exact: true })).toBeEnabled()
    line.state = 'open'
    for (const index of [0, 1, 2])
      await rows
        .nth(index)
        .getByRole('button', { name: patternOf(words.files.upload.retryOne) })
        .click()
    for (const index of [0, 1, 2]) await expect(rows.nth(index)).toHaveAttribute('data-status', 'success')
    expect(await hashOfShare(`${mark}-1`)).toBe(hashOf(large))
    expect((await sharesOf(`${mark}-1`))[0]?.filename).toBe(name)
    expect(await isWiderThanScreen(page)).toBe(false)
  })

  test('a share whose session ends during its upload is created after the login', async ({ page, words }) => {
    const own = await logIn(product.origin, ADMIN_PASSWORD)
    await openPage(page, own)
    const sent = watchSent(page)
    const line = await holdLine(page)
    line.state = 'hold'
    await page.locator('input[type=file]').setInputFiles([payload('held.txt', `held in ${mark}`)])
    await chooseStorage(page, words)
    await page.getByLabel(words.common.slug.label, { exact: true }).fill(`held-${mark}`)
    await start(page, words)
    await expect.poll(() => sent.length).toBe(1)
    await new Api(product.origin).withToken(own).call(authRoutes.logout)
    // Opens the task panel, because the page notices the logout at its next request. The click fails if the login
    // already covers the button.
    await page
      .getByRole('button', { name: patternOf(words.tasks.openBusy) })
      .click({ timeout: 2000 })
      .catch(() => undefined)
    const login = page.getByRole('dialog', { name: words.auth.again.title })
    await login.waitFor()
    line.state = 'open'
    await login.getByLabel(words.auth.username).fill('admin')
    await login.getByLabel(words.auth.password, { exact: true }).fill(ADMIN_PASSWORD)
    await login.getByRole('button', { name: words.auth.submit, exact: true }).click()
    await expect(rowsOf(page, words).first()).toHaveAttribute('data-status', 'success')
    expect(await hashOfShare(`held-${mark}`)).toBe(hashOf(Buffer.from(`held in ${mark}`)))
  })

  test('a file from the web becomes a share through the server, the browser, or both', async ({
    page,
    words,
  }) => {
    const { stages, ways } = words.files.url
    const runs = [
      { way: ways.server, path: '/open/a.bin', slug: 's', said: [stages.importing], isByBrowser: false },
      { way: ways.browser, path: '/open/b.bin', slug: 'b', said: [stages.downloading], isByBrowser: true },
      // The source does not allow other sites to read these files, so the browser downloads them through the server.
      { way: ways.browser, path: '/closed/c.bin', slug: 'f', said: [stages.proxying], isByBrowser: true },
      { way: ways.proxy, path: '/closed/d.bin', slug: 'p', said: [stages.proxying], isByBrowser: true },
    ]
    const { texts, watch } = await recordStages(page)
    await openPage(page)
    await page.getByText(words.files.upload.tabs.url, { exact: true }).click()
    await watch()
    for (const { way, path, slug, said, isByBrowser } of runs) {
      texts.length = 0
      await page.getByLabel(words.files.url.address).fill(addressOf(path))
      await page.getByRole('button', { name: words.files.url.analyse, exact: true }).click()
      await expect(page.getByLabel(words.files.url.name)).toHaveValue(path.split('/').at(-1) ?? '')
      await expect(page.getByText('17 MB').first()).toBeVisible()
      await page.getByLabel(words.files.url.name).fill(`${mark}-${slug}.bin`)
      await page.getByRole('radio', { name: way, exact: true }).check()
      await chooseStorage(page, words)
      await page.getByLabel(words.common.slug.label, { exact: true }).fill(`${mark}-${slug}`)
      expect(await isWiderThanScreen(page)).toBe(false)
      await start(page, words)
      const progress = page.getByRole('region', { name: words.files.url.progress })
      await expect(progress.getByRole('link')).toContainText(`/file/${mark}-${slug}`)
      await expect(progress).toContainText(stages.completed)
      expect(await hashOfShare(`${mark}-${slug}`)).toBe(hashOf(bytes))
      const recent = page.getByRole('region', { name: words.files.recent.title })
      await expect(recent).toContainText(`${mark}-${slug}.bin`)
      await expect(recent).toContainText(
        say(words.files.url.from, { host: new URL(addressOf(path)).hostname }),
      )
      const copying = say(words.files.copyLinkOf, { name: `${mark}-${slug}.bin` })
      await expect(progress.getByRole('button', { name: copying, exact: true })).toBeVisible()
      for (const stage of said) expect(texts.some((text) => text.startsWith(stage))).toBe(true)
      if (!isByBrowser) continue
      const fetched = said.flatMap((stage) => percentsIn(texts, stage))
      const uploaded = percentsIn(texts, stages.uploading)
      expect(Math.max(...fetched)).toBeLessThanOrEqual(49)
      expect(new Set(fetched).size).toBeGreaterThan(2)
      expect(uploaded).not.toEqual([])
      expect(Math.min(...uploaded)).toBeGreaterThanOrEqual(50)
      expect(Math.max(...uploaded)).toBeLessThanOrEqual(99)
      expect(fetched).toEqual(fetched.toSorted((a, b) => a - b))
    }
  })

  test('an invalid address shows an error, and a cancelled import leaves nothing', async ({
    page,
    words,
  }) => {
    await openPage(page)
    await page.getByText(words.files.upload.tabs.url, { exact: true }).click()
    const analyse = async (address: string) => {
      await page.getByLabel(words.files.url.address).fill(address)
      await page.getByRole('button', { name: words.files.url.analyse, exact: true }).click()
    }
    const byProxy = () => page.getByRole('radio', { name: words.files.url.ways.proxy, exact: true }).check()
    await analyse('no address')
    // The focus moves to the field with the error.
    await expect(page.getByLabel(words.files.url.address)).toBeFocused()
    await expect(page.getByLabel(words.files.url.address)).toHaveAccessibleDescription(
      words.errors.url.invalid,
    )
    await analyse('ftp://example.com/x')
    await expect(page.getByText(words.errors.url.invalid)).toBeVisible()
    await expect(page.getByLabel(words.files.url.name)).toBeHidden()
    await analyse('http://10.1.2.3/x.bin')
    await expect(page.getByText(words.errors.url.refused)).toBeVisible()
    await analyse(addressOf('/missing/x.bin'))
    await expect(page.getByText(words.files.url.silent)).toBeVisible()
    await byProxy()
    await start(page, words)
    await expect(page.getByText(words.errors.url.bad_source)).toBeVisible()
    await analyse(addressOf(`/slow/${mark}-f.bin`))
    await expect(page.getByLabel(words.files.url.name)).toHaveValue(`${mark}-f.bin`)
    await byProxy()
    await page.getByLabel(words.common.slug.label, { exact: true }).fill(`${mark}-none`)
    await start(page, words)
    const progress = page.getByRole('region', { name: words.files.url.progress })
    await expect(progress).toContainText(words.files.url.stages.proxying)
    const form = page.getByRole('form', { name: words.files.upload.options })
    await form.getByRole('button', { name: words.common.cancel, exact: true }).click()
    await expect(progress).toContainText(words.files.url.stages.cancelled)
    await expect.poll(() => abandoned).toContain(`/slow/${mark}-f.bin`)
    expect(await sharesOf(`${mark}-none`)).toEqual([])
  })

  test('a deleted recent upload is reported, and the unreachable storages are not reported as missing', async ({
    page,
    words,
  }) => {
    const { recent, upload } = words.files
    const filename = `gone-${mark}.txt`
    await fetch(`${product.origin}/api/upload-direct/${filename}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
      body: 'to be deleted',
    })
    await page.route(`**${storageConfigRoutes.list.path}`, (route) => route.abort())
    await openPage(page)
    await expect(page.getByLabel(upload.storage, { exact: true })).toHaveText(upload.storagesUnknown)
    await page.getByRole('button', { name: say(recent.deleteOf, { name: filename }) }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.files.remove.confirm }).click()
    const said = say(recent.deleted, { name: filename })
    await expect(page.getByRole('status').filter({ hasText: said })).toHaveCount(1)
  })

  test('an unreachable server is reported once, and missing data loads together', async ({ page, words }) => {
    const asked = new Set<string>([storageConfigRoutes.list.path, fileRoutes.adminList.path])
    const away = ({ pathname }: URL) => asked.has(pathname)
    await page.route(away, (route) => route.abort())
    await openPage(page)
    const retry = page.getByRole('main').getByRole('button', { name: words.common.retry })
    const recent = page.getByRole('heading', { name: words.files.recent.title })
    await expect(retry).toHaveCount(1)
    await expect(recent).toHaveCount(0)
    await page.unroute(away)
    await retry.click()
    await expect(retry).toHaveCount(0)
    await expect(recent).toBeVisible()
    await expect(page.getByLabel(words.files.upload.storage, { exact: true })).toBeEnabled()
  })

  test('work started by another device is in the tray, and a cancellation there stops it', async ({
    page,
    words,
  }) => {
    const filename = `${mark}.bin`
    await openPage(page)
    await admin.call(urlRoutes.import, {
      body: {
        url: addressOf(`/slow/${filename}`),
        filename,
        s3_config_id: null,
        slug: `${mark}-x`,
        path: null,
        remark: null,
        password: null,
        expires_in: null,
        max_views: null,
      },
    })
    const panel = await openTray(page, words)
    const title = say(words.tasks.task.url_import, { what: filename })
    await expect(panel.getByText(title)).toBeVisible()
    await page.reload()
    await openTray(page, words)
    await panel.getByRole('button', { name: say(words.tasks.cancel, { name: title }) }).click()
    await expect(panel.getByText(words.tasks.state.cancelled).first()).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
    const { data } = await admin.call(taskRoutes.list, { query: { state: null, limit: 50 } })
    const states = data.tasks
      .filter(({ request }) => JSON.stringify(request).includes(filename))
      .map(({ state }) => state)
    expect(states).toEqual(['cancelled'])
    await expect.poll(() => abandoned).toContain(`/slow/${filename}`)
  })
})
