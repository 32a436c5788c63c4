import { createArchiveNames, type OpenSealedBundle } from '@dropleaf/contract'
import type { Download, Page } from '@playwright/test'
import { type CorpusShare, makeCorpusShare } from '../packages/seal/src/testing/corpus.ts'
import {
  parsePortableFacts,
  PORTABLE_FACTS_NAME,
  PORTABLE_MANIFEST_NAME,
  portableObjectName,
} from '../packages/seal/src/portable/portable.ts'
import { unpackBytes } from '../apps/server/src/testing/zip.ts'
import { expect, test } from './support/worlds.ts'

/**
 * Tests that the page decrypts the corpus that the offline page and the command line also open (`opener.spec.ts`).
 * The test responds in place of the server, with the files of an encrypted copy. The page therefore verifies each
 * response only with the key.
 */

const SHARES = Number(process.env['SEAL_CORPUS'] ?? 6)
const GROUP = 6
const HOUR_MS = 3_600_000
/** Matches a word of each text of the corpus. Formatting does not change these words. */
const WORD = /Dropleaf|标题|with a mark|long 长/
const TICKET = 'ticket-of-the-corpus'

interface Served {
  readonly slug: string
  readonly share: CorpusShare
}

const bytesOf = ({ files }: CorpusShare, name: string): Buffer => {
  const bytes = files.get(name)
  if (!bytes) throw new Error(`The copy has no ${name}.`)
  return Buffer.from(bytes)
}

const factsOf = (share: CorpusShare) => parsePortableFacts(bytesOf(share, PORTABLE_FACTS_NAME).toString())

function openedOf({ slug, share }: Served): OpenSealedBundle {
  const { id, revision, salts } = factsOf(share)
  const now = new Date().toISOString()
  return {
    slug,
    id,
    revision,
    current_revision: revision,
    sealed: 1,
    ...salts,
    manifest: bytesOf(share, PORTABLE_MANIFEST_NAME).toString('base64'),
    ticket: TICKET,
    created_at: now,
    updated_at: now,
    expires_at: null,
    max_views: null,
    views: 1,
  }
}

/** Responds in place of the server and the storage. */
async function serve(page: Page, served: Served): Promise<void> {
  const { slug, share } = served
  const { id, salts, objects } = factsOf(share)
  const api = `**/api/bundles/${slug}`
  const answer = (data: unknown) => ({ json: { success: true, code: 'ok', message: 'ok', data } })
  const look = {
    id,
    sealed: 1,
    ...salts,
    requires_password: share.password !== null,
    requires_pin: false,
    opening: 'direct',
    expires_at: null,
  }
  await page.route(api, (route) => route.fulfill(answer(look)))
  await page.route(`${api}/open`, (route) => route.fulfill(answer(openedOf(served))))
  await page.route(`${api}/current*`, (route) =>
    route.fulfill(answer({ revision: openedOf(served).revision })),
  )
  await page.route(`${api}/addresses`, (route) => {
    const { objects: asked } = route.request().postDataJSON() as { objects: number[] }
    const data = asked.map((n) => ({
      n,
      size: objects.find((object) => object.n === n)?.stored ?? 0,
      url: `/api/bundles/${slug}/objects/${n}?ticket=${TICKET}`,
      relay_url: `/api/bundles/${slug}/objects/${n}?ticket=${TICKET}`,
      expires_at: new Date(Date.now() + HOUR_MS).toISOString(),
    }))
    return route.fulfill(answer(data))
  })
  await page.route(`${api}/objects/*`, async (route) => {
    const n = Number(/objects\/(\d+)/.exec(route.request().url())?.[1])
    const body = bytesOf(share, portableObjectName(n))
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(route.request().headers()['range'] ?? '') ?? []
    const [start, end] = [Number(first ?? 0), Math.min(Number(last ?? body.length - 1) + 1, body.length)]
    await route.fulfill({
      status: 206,
      contentType: 'application/octet-stream',
      headers: { 'Content-Range': `bytes ${start}-${end - 1}/${body.length}` },
      body: body.subarray(start, end),
    })
  })
}

async function bytesIn(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

for (let first = 0; first < SHARES; first += GROUP) {
  const end = Math.min(SHARES, first + GROUP)
  test(`shares ${first} to ${end - 1} of a corpus are shown and saved as they were sent`, async ({
    page,
    words,
  }) => {
    await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
    for (let seed = first; seed < end; seed += 1) {
      const share = await makeCorpusShare(seed)
      const slug = `corpus-${seed}`
      await serve(page, { slug, share })
      // Leaves the page first. Otherwise only the fragment would change, and the browser would not load the page
      // again.
      await page.goto('about:blank')
      await page.goto(`/s/${slug}#${share.linkKey}`)
      if (share.password !== null) {
        await page.getByLabel(words.bundle.locked.password, { exact: true }).fill(share.password)
        await page.getByRole('button', { name: words.bundle.locked.open, exact: true }).click()
      }
      await expect(page.getByText(words.sealedReading.badge)).toBeVisible()
      if (share.title !== null)
        await expect(page.getByRole('heading', { name: share.title, level: 1 })).toBeVisible()
      if (share.text !== null)
        await expect(page.getByText(WORD.exec(share.text)?.[0] ?? share.text).first()).toBeVisible()
      const { items } = share
      if (items.length === 0) continue
      const all = page.getByRole('button', { name: words.bundle.downloadAll })
      const one = page.getByRole('button', { name: words.files.view.download, exact: true })
      const isAlone = items.length === 1 && (await one.count()) > 0
      const [download] = await Promise.all([page.waitForEvent('download'), (isAlone ? one : all).click()])
      const saved = await bytesIn(download)
      const found = isAlone ? { [items[0]?.path ?? '']: saved } : await unpackBytes(saved)
      const rename = createArchiveNames().forRoot()
      for (const { path, bytes } of items) {
        const contents = Buffer.from(found[isAlone ? path : rename(path)] ?? [])
        expect([seed, path, Buffer.compare(contents, bytes)]).toEqual([seed, path, 0])
      }
    }
  })
}
