import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base } from '@playwright/test'
import { logIn } from './support/api.ts'
import { publish, writeText } from './support/pages.ts'
import { type RunningServer, startServer } from './support/server.ts'
import { ADMIN_PASSWORD, expect } from './support/test.ts'

/** Runs the product below a base path, accessed directly and through a proxy that strips the path. */

const BASE_PATH = '/tools/drop'

/**
 * Starts a proxy that strips the base path from requests and forwards them. Other paths belong to another program.
 */
async function startProxy(server: RunningServer): Promise<Server> {
  const { hostname, port } = new URL(server.origin)
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    if (!url.startsWith(`${BASE_PATH}/`)) {
      outgoing.writeHead(404).end('not ours')
      return
    }
    const path = url.slice(BASE_PATH.length)
    const call = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(call)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}

const test = base.extend<object, { server: RunningServer; viaProxy: string }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
    async ({}, use) => {
      const server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { BASE_PATH: `${BASE_PATH}/` } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  viaProxy: [
    async ({ server }, use) => {
      const proxy = await startProxy(server)
      await use(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
      proxy.closeAllConnections()
      proxy.close()
    },
    { scope: 'worker' },
  ],
})

for (const way of ['directly', 'through a proxy'] as const) {
  test(`below a base path, ${way}: a text, its page, a file, its preview, the explorer, the drive`, async ({
    page,
    server,
    viaProxy,
  }) => {
    const origin = way === 'directly' ? server.origin : viaProxy
    const root = `${origin}${BASE_PATH}`
    const token = await logIn(server.origin, ADMIN_PASSWORD)
    const strangers: string[] = []
    page.on('request', (sent) => {
      const { origin: to, pathname } = new URL(sent.url())
      if (to === origin && !pathname.startsWith(`${BASE_PATH}/`) && pathname !== BASE_PATH)
        strangers.push(pathname)
    })
    await page.goto(`${root}/api/health`)
    await page.evaluate((value) => localStorage.setItem('admin_token', value), token)

    await page.goto(`${root}/`)
    await writeText(page, '# Below a path')
    const link = await publish(page)
    expect(link.startsWith(`${root}/paste/`)).toBe(true)
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Below a path' })).toBeVisible()
    await page.getByRole('link', { name: 'Files', exact: true }).first().click()
    await expect(page).toHaveURL(`${root}/mount-explorer`)

    const put = await fetch(`${root}/dav/local/${way.length}.txt`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: 'from the drive',
    })
    expect(put.status).toBe(201)
    const found = await fetch(`${root}/dav/local/`, {
      method: 'PROPFIND',
      headers: { authorization: `Bearer ${token}`, depth: '1' },
    })
    expect(await found.text()).toContain(`<D:href>${BASE_PATH}/dav/local/${way.length}.txt</D:href>`)
    const moved = await fetch(`${root}/dav/local/${way.length}.txt`, {
      method: 'MOVE',
      headers: {
        authorization: `Bearer ${token}`,
        destination: `${root}/dav/local/moved-${way.length}.txt`,
      },
    })
    expect(moved.status).toBe(201)

    await page.goto(`${root}/mount-explorer/local?preview=moved-${way.length}.txt`)
    await expect(page.getByText('from the drive')).toBeVisible()
    const shared = await fetch(`${root}/api/upload-direct/note.md?slug=note-${way.length}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: '# A file',
    })
    const { data } = (await shared.json()) as { data: { url: string } }
    expect(data.url).toBe(`${BASE_PATH}/file/note-${way.length}`)
    await page.goto(origin + data.url)
    await expect(page.getByRole('heading', { name: 'A file' })).toBeVisible()
    expect(strangers).toEqual([])
  })
}
