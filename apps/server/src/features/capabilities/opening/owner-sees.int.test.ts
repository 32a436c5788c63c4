import { expect, test } from 'vitest'
import { pathOf } from '../../../testing/files.ts'
import {
  look,
  newDevice,
  open,
  openingUrl,
  openSlowly,
  type OpeningPlace,
  ownerSees,
  SECRET,
  shareAsking,
  takeOne,
} from '../../../testing/opening.ts'
import { describeEachStorage, type StorageTestApp } from '../../../testing/storages.ts'

const KINDS = ['paste', 'file', 'bundle'] as const
const places: OpeningPlace[] = KINDS.map((kind) => ({ kind, slug: `a-${kind}` }))

const DETAILS = {
  paste: (id: string) => `/api/admin/pastes/${id}`,
  file: (id: string) => `/api/admin/files/${id}`,
  bundle: (id: string) => `/api/bundles/${id}/own`,
} as const

const detailOf = async (t: StorageTestApp, { kind }: OpeningPlace, id: string) =>
  t.admin.call('GET', DETAILS[kind](id))

const arm = (t: StorageTestApp, { kind }: OpeningPlace, id: string) =>
  t.admin.call('POST', `/api/opening/${kind}/${id}/arm`)

/** Changes a share. A change of a text must include its content. */
const change = (
  t: StorageTestApp,
  { kind }: OpeningPlace,
  { id, ...more }: { id: string; [field: string]: unknown },
) =>
  kind === 'bundle'
    ? t.admin.call('PUT', `/api/bundles/${id}`, { body: more })
    : t.admin.call('PUT', DETAILS[kind](id), {
        body: kind === 'paste' ? { content: SECRET, maxViews: 1, ...more } : more,
      })

/**
 * Returns a function that reads the contents again, given the response of an opening. The function returns the status.
 */
function readerOf(t: StorageTestApp, { kind, slug }: OpeningPlace, data: Record<string, unknown>) {
  const url =
    kind === 'bundle'
      ? `/api/bundles/${slug}/opened?ticket=${String(data['ticket'])}`
      : pathOf(String(data['proxy_download_url']))
  return async () => (await t.visitor.call('GET', url)).status
}

describeEachStorage('what owners see and do', ({ startApp }) => {
  async function start(settings: Record<string, string> = {}) {
    const t = await startApp()
    const ids = new Map<OpeningPlace, string>()
    for (const place of places) {
      const storage = place.kind === 'file' ? { s3_config_id: t.storage.configId } : {}
      ids.set(place, (await shareAsking(t, place, { ...storage, ...settings })).id)
    }
    return Object.assign(t, { idOf: (place: OpeningPlace) => ids.get(place) ?? '' })
  }

  test('for a day after its contents are deleted, a used-up share shows when it was opened', async () => {
    await using t = await start()
    for (const place of places) expect((await takeOne(t, place)).status).toBe(200)
    const openedAt = new Date(t.clock.nowMs()).toISOString()
    t.clock.advance({ hours: 7 })
    await t.ctx.jobs.drain()
    const purgedAt = new Date(t.clock.nowMs()).toISOString()
    for (const place of places) {
      const id = t.idOf(place)
      const row = await ownerSees(t, place)
      const seen = { slug: place.slug, max_views: 1, opening: 'ask', opening_note: { opened_at: openedAt } }
      expect(row).toMatchObject({
        ...seen,
        purged_at: place.kind === 'paste' ? expect.any(String) : purgedAt,
      })
      const detail = await detailOf(t, place, id)
      expect([place.kind, detail.status]).toEqual([place.kind, 200])
      expect(detail.body.data).toMatchObject(seen)
      expect(`${detail.text} ${JSON.stringify(row)}`).not.toContain(SECRET)
      expect((await arm(t, place, id)).body.error?.code).toBe('share.contents_gone')
      expect((await change(t, place, { id, password: 'new' })).status).toBeGreaterThanOrEqual(404)
      expect(await look(t, place)).toMatchObject({ ended: 'used_up', opened_at: openedAt })
      expect((await takeOne(t, place)).status).toBe(410)
    }
    const { shares } = (await t.admin.call('GET', '/api/shares?state=over')).body.data
    expect(shares).toHaveLength(3)
    // The list of active shares does not include used-up shares.
    expect((await t.admin.call('GET', '/api/shares?state=active')).body.data.shares).toEqual([])
    t.clock.advance({ hours: 25 })
    await t.ctx.jobs.drain()
    for (const place of places)
      expect((await t.visitor.call('GET', openingUrl(place, 'state'))).status).toBe(404)
  })

  test('only its owner can see and delete it', async () => {
    await using t = await start()
    const key = await t.keyClient({ text_permission: true, file_permission: true })
    for (const place of places) await takeOne(t, place)
    t.clock.advance({ hours: 7 })
    await t.ctx.jobs.drain()
    for (const url of ['/api/user/pastes', '/api/user/files', '/api/shares']) {
      const { data } = (await key.call('GET', url)).body
      expect([url, data.files ?? data.shares ?? data]).toEqual([url, []])
    }
    const [text = '', file = '', bundle = ''] = places.map(t.idOf)
    expect((await key.call('DELETE', `/api/user/pastes/${text}`)).status).toBe(404)
    expect((await t.admin.call('DELETE', `/api/admin/pastes/${text}`)).status).toBe(200)
    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [file] } })
    await t.admin.call('POST', '/api/bundles/delete', { body: { ids: [bundle] } })
    expect((await t.admin.call('GET', '/api/shares')).body.data.shares).toEqual([])
    await t.ctx.jobs.drain()
  })

  test('arming revokes the links of earlier openings, and resets what visitors see about them', async () => {
    await using t = await start()
    for (const place of places) {
      const { data } = (await takeOne(t, place, { body: { device: newDevice() } })).body
      const read = place.kind === 'paste' ? null : readerOf(t, place, data)
      if (read) expect(await read()).toBe(200)
      expect((await arm(t, place, t.idOf(place))).status).toBe(200)
      expect(await look(t, place)).toMatchObject({ views_left: 1, opened_at: null })
      expect(await ownerSees(t, place)).toMatchObject({ opening_note: { opened_at: null } })
      if (read) expect(await read()).toBeGreaterThanOrEqual(400)
      const again = await takeOne(t, place)
      expect(again.status).toBe(200)
      if (place.kind !== 'paste') expect(await readerOf(t, place, again.body.data)()).toBe(200)
    }
  })

  test('a share that is changed to require confirmation revokes the links of direct openings', async () => {
    await using t = await start({ opening: 'direct', max_views: '5' })
    const file = places[1] as OpeningPlace
    const bundle = places[2] as OpeningPlace
    const direct = async () => ({
      file: readerOf(t, file, (await t.visitor.call('GET', `/api/public/files/${file.slug}`)).body.data),
      bundle: readerOf(t, bundle, (await open(t, bundle, {})).body.data),
    })
    const links = await direct()
    expect([await links.file(), await links.bundle()]).toEqual([200, 200])
    for (const place of [file, bundle])
      expect((await change(t, place, { id: t.idOf(place), opening: 'ask' })).status).toBe(200)
    expect([await links.file(), await links.bundle()]).toEqual([428, 403])
    expect((await change(t, file, { id: t.idOf(file), opening: 'direct' })).status).toBe(200)
    const later = readerOf(t, file, (await t.visitor.call('GET', `/api/public/files/${file.slug}`)).body.data)
    expect(await later()).toBe(200)
    expect((await t.admin.call('POST', '/api/opening/file/ask-limited')).body.data.changed).toBe(1)
    expect(await later()).toBe(428)
  })

  test('during the reopening time, a changed password closes a used-up share, and a higher limit opens it', async () => {
    await using t = await start()
    for (const place of places) {
      const device = newDevice()
      expect((await openSlowly(t, place, { device })).status).toBe(200)
      expect((await open(t, place, { device })).status).toBe(200)
      const id = t.idOf(place)
      expect((await change(t, place, { id, password: 'new' })).status).toBe(200)
      expect((await open(t, place, { device })).status).toBe(410)
      const limit = place.kind === 'paste' ? { maxViews: 3 } : { max_views: 3 }
      expect((await change(t, place, { id, ...limit })).status).toBe(200)
      expect((await openSlowly(t, place, { password: 'new' })).status).toBe(200)
    }
    // The grace of a used-up text has passed, so its contents will be deleted and it cannot be changed.
    const place = { kind: 'paste', slug: 'late' } as const
    const { id } = await shareAsking(t, place)
    await openSlowly(t, place)
    t.clock.advance({ seconds: 660 })
    const late = await change(t, place, { id, password: 'new' })
    expect([late.status, late.body.error?.code]).toEqual([410, 'paste.used_up'])
  })

  test('HEAD gets the same status and headers as GET', async () => {
    await using t = await start()
    for (const place of places) {
      const head = await t.visitor.call('HEAD', openingUrl(place, 'state'))
      expect([head.status, head.text, head.headers['cache-control']]).toEqual([200, '', 'no-store'])
      expect((await t.visitor.call('HEAD', openingUrl({ ...place, slug: 'no' }, 'state'))).status).toBe(404)
    }
  })
})
