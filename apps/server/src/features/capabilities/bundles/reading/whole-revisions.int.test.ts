import { expect, test } from 'vitest'
import { openBundle, publishBundle, putObject, readBundle, shareBundle } from '../../../../testing/bundles.ts'
import { describeEachDatabase } from '../../../../testing/app.ts'

/** `BUNDLE_READERS=200 BUNDLE_REVISIONS=100` starts the long run. */
const READERS = Number(process.env['BUNDLE_READERS'] ?? 20)
const REVISIONS = Number(process.env['BUNDLE_REVISIONS'] ?? 15)
const FILES = 3

const pageOf = (revision: number) => ({ text: `revision ${revision}` })
/**
 * Returns the numbers of a revision's objects. Each revision has separate objects, whose contents name the revision.
 */
const numbersOf = (revision: number) => Array.from({ length: FILES }, (_, at) => revision * FILES + at)
const itemsOf = (revision: number) =>
  numbersOf(revision).map((object, at) => ({ path: `${at}.txt`, source: { object } }))

describeEachDatabase('readers while revisions are published', ({ startApp }) => {
  test('see the page and the files of the same revision', { timeout: 1_800_000 }, async () => {
    await using t = await startApp()
    const texts = numbersOf(0).map(() => 'revision 0')
    const bundle = await shareBundle(t.admin, { texts, page: pageOf(0), items: itemsOf(0) })
    const publishing = new AbortController()
    async function publishAll() {
      for (let revision = 1; revision < REVISIONS; revision += 1) {
        for (const n of numbersOf(revision))
          await putObject(t.admin, bundle, { n, bytes: `revision ${revision}` })
        const change = { page: pageOf(revision), items: itemsOf(revision), expected: revision }
        expect((await publishBundle(t.admin, bundle, change)).status).toBe(201)
      }
      publishing.abort()
    }
    const seen = new Set<string>()
    async function read(): Promise<void> {
      const { data } = (await openBundle(t, bundle.slug)).body
      const place = { slug: bundle.slug, ticket: data.ticket as string }
      const files = []
      for (let at = 0; at < FILES; at += 1)
        files.push((await readBundle(t, place, 'file', { path: `${at}.txt` })).text)
      expect(new Set([data.manifest.page.text, ...files]).size).toBe(1)
      seen.add(data.manifest.page.text as string)
    }
    async function readOn(): Promise<void> {
      while (!publishing.signal.aborted) await read()
    }
    await Promise.all([publishAll(), ...Array.from({ length: READERS }, readOn)])
    await read()
    expect(seen.has(`revision ${REVISIONS - 1}`)).toBe(true)
  })
})
