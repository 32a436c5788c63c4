import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileRoutes, taskRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { Api, logIn } from './support/api.ts'
import { type RunningServer, startServer } from './support/server.ts'
import { ADMIN_PASSWORD, expect, test } from './support/test.ts'

const MIB = 1024 * 1024
const bytes = randomBytes(20 * MIB)
const hashOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')

let product: RunningServer
let origin: Server
let admin: Api
let token = ''
/** Paths whose readers went away before the end. */
const abandoned: string[] = []

const addressOf = (path: string) => `http://127.0.0.1:${(origin.address() as AddressInfo).port}${path}`

/** A site of the web: `/open/` lets other sites read it, `/closed/` does not, `/slow/` never comes to an end. */
function startOrigin(): Server {
  return createServer((request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/open/')) response.setHeader('access-control-allow-origin', '*')
    if (path.startsWith('/missing/')) response.statusCode = 404
    response.setHeader('content-type', 'application/octet-stream')
    response.setHeader('content-length', bytes.length)
    response.setHeader('last-modified', 'Tue, 01 Jan 2030 00:00:00 GMT')
    if (request.method === 'HEAD') response.end()
    else if (path.startsWith('/slow/')) {
      response.on('close', () => abandoned.push(path))
      response.write(bytes.subarray(0, MIB))
    } else response.end(bytes)
  })
}

test.beforeAll(async () => {
  origin = startOrigin().listen(0, '127.0.0.1')
  await once(origin, 'listening')
  product = await startServer({ adminPassword: ADMIN_PASSWORD, env: { URL_FETCH_ALLOW: '127.0.0.1' } })
  token = await logIn(product.origin, ADMIN_PASSWORD)
  admin = new Api(product.origin).withToken(token)
})
test.afterAll(async () => {
  await product.stop()
  origin.closeAllConnections()
  origin.close()
})

async function openTab(page: Page, path: string) {
  await page.goto(`${product.origin}/api/health`)
  await page.evaluate((value) => localStorage.setItem('admin_token', value), token)
  await page.goto(`${product.origin}/upload`)
  await page.getByText('Web address', { exact: true }).click()
  await page.getByLabel('Address of the file').fill(addressOf(path))
  await page.getByRole('button', { name: 'Analyse' }).click()
}

async function hashOfShare(slug: string): Promise<string> {
  const { data } = await admin.call(fileRoutes.adminList, {
    query: { limit: 50, offset: 0, created_by: null, s3_config_id: null },
  })
  expect(data.files.map((file) => file.slug)).toContain(slug)
  const answer = await fetch(`${product.origin}/api/file-download/${slug}`)
  return hashOf(new Uint8Array(await answer.arrayBuffer()))
}

const ways = [
  { way: 'The server', path: '/open/a.bin', stage: 'The server is fetching it', slug: 'by-server' },
  { way: 'This browser', path: '/open/b.bin', stage: 'Downloading', slug: 'by-browser' },
  // The source lets no other site read it: the browser asks the server to pass it on.
  {
    way: 'This browser',
    path: '/closed/c.bin',
    stage: 'Downloading through the server',
    slug: 'fallen-back',
  },
  { way: 'This browser, through the server', path: '/closed/d.bin', stage: 'Uploading', slug: 'by-proxy' },
]
for (const { way, path, stage, slug } of ways) {
  test(`a file of the web becomes a share: ${slug}`, async ({ page }) => {
    const stages: string[] = []
    await page.exposeFunction('noteStage', (text: string) => stages.push(text))
    await openTab(page, path)
    await expect(page.getByLabel('File name')).toHaveValue(path.split('/').at(-1) ?? '')
    await expect(page.getByText('20 MB', { exact: false }).first()).toBeVisible()
    await page.evaluate(() => {
      const told = window as unknown as { noteStage: (text: string) => void }
      const look = () => told.noteStage(document.querySelector('[data-stage] output')?.textContent ?? '')
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      })
    })
    await page.getByLabel('File name').fill('renamed.bin')
    await page.getByRole('radio', { name: way, exact: true }).check()
    await page.getByLabel('Link suffix').fill(slug)
    await page.getByRole('button', { name: 'Start upload' }).click()
    const progress = page.getByRole('region', { name: 'Progress' })
    await expect(progress.getByRole('link')).toContainText(`/file/${slug}`, { timeout: 30_000 })
    await expect(progress).toContainText('Completed')
    expect(stages).toContain(stage)
    expect(await hashOfShare(slug)).toBe(hashOf(bytes))
    await expect(page.getByRole('region', { name: 'Recent uploads' })).toContainText('renamed.bin')
  })
}

test('what is no address, and what leads into a private network, is refused in words', async ({ page }) => {
  await openTab(page, '/open/x.bin')
  const field = page.getByLabel('Address of the file')
  const analyse = page.getByRole('button', { name: 'Analyse' })
  await expect(page.getByLabel('File name')).toBeVisible()
  await field.fill('ftp://example.com/x')
  await analyse.click()
  await expect(page.getByText('This is no http or https address')).toBeVisible()
  await expect(page.getByLabel('File name')).toBeHidden()
  await field.fill('http://10.0.0.1/x')
  await analyse.click()
  await expect(page.getByText('This address leads to a private network')).toBeVisible()
  await openTab(page, '/missing/x.bin')
  await page.getByRole('radio', { name: 'This browser, through the server', exact: true }).check()
  await page.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('The source answers with an error')).toBeVisible()
})

test('an import by the server is seen from another page, and cancelling it there stops it', async ({
  page,
}) => {
  await openTab(page, '/slow/e.bin')
  await page.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('The server is fetching it')).toBeVisible()
  await page.goto(`${product.origin}/`)
  await page.getByRole('button', { name: /^Tasks: 1 running/ }).click()
  const panel = page.getByRole('dialog', { name: 'Tasks' })
  await expect(panel.getByText('Import e.bin')).toBeVisible()
  await panel.getByRole('button', { name: 'Cancel Import e.bin' }).click()
  await expect(panel.getByText('Cancelled')).toBeVisible()
  const states = async () =>
    (await admin.call(taskRoutes.list, { query: { state: null, limit: 10 } })).data.tasks
      .filter(({ request }) => JSON.stringify(request).includes('/slow/e.bin'))
      .map(({ state }) => state)
  expect(await states()).toEqual(['cancelled'])
  await expect.poll(() => abandoned.filter((path) => path === '/slow/e.bin').length).toBeGreaterThan(0)
})

test('a fetch by the browser can be cancelled, and nothing is left of it', async ({ page }) => {
  await openTab(page, '/slow/f.bin')
  await page.getByRole('radio', { name: 'This browser, through the server', exact: true }).check()
  await page.getByRole('button', { name: 'Start upload' }).click()
  const progress = page.getByRole('region', { name: 'Progress' })
  await expect(progress).toContainText('Downloading through the server')
  await page.getByRole('form', { name: 'Share options' }).getByRole('button', { name: 'Cancel' }).click()
  await expect(progress).toContainText('Cancelled')
  const { data } = await admin.call(fileRoutes.adminList, {
    query: { limit: 50, offset: 0, created_by: null, s3_config_id: null },
  })
  expect(data.files.filter(({ filename }) => filename === 'f.bin')).toEqual([])
})
