import { expect, test } from 'vitest'
import { pathOf, readAddress } from '../../../testing/files.ts'
import {
  askIntent,
  look,
  newDevice,
  open,
  openingUrl,
  openSlowly,
  ownerSees,
  SECRET,
  shareAsking,
} from '../../../testing/opening.ts'
import { describeEachStorage, type StorageTestApp } from '../../../testing/storages.ts'
import { pinRuleOf } from '../../foundation/share-opening/share-opening.models.ts'

const KINDS = ['paste', 'file'] as const
const placeOf = (kind: (typeof KINDS)[number]) => ({ kind, slug: `a-${kind}` })

/** Returns the opened contents. For a file, these are the bytes at its download URL. */
async function contentsOf(t: StorageTestApp, data: { content?: string; downloadUrl?: string }) {
  if (data.content !== undefined) return data.content
  return (await readAddress(t.visitor, data.downloadUrl ?? '')).text
}

const setGrace = (t: StorageTestApp, opening_grace_minutes: number) =>
  t.admin.call('PUT', '/api/admin/system-settings', { body: { opening_grace_minutes } })

describeEachStorage('opening', ({ startApp }) => {
  const start = async (settings: Record<string, string> = {}) => {
    const t = await startApp()
    for (const kind of KINDS) {
      const storage = kind === 'file' ? { s3_config_id: t.storage.configId } : {}
      await shareAsking(t, placeOf(kind), { ...storage, ...settings })
    }
    return t
  }
  const places = KINDS.map(placeOf)

  test('a share with one view opens once, with an intent, for one device', async () => {
    await using t = await start()
    for (const place of places) {
      expect(await look(t, place)).toEqual({
        kind: place.kind,
        opening: 'ask',
        requires_password: false,
        requires_pin: false,
        views_left: 1,
        expires_at: null,
        ended: null,
        opened_at: null,
      })
      const opened = await openSlowly(t, place)
      expect([opened.status, opened.headers['cache-control']]).toEqual([200, 'no-store'])
      expect(await contentsOf(t, opened.body.data)).toBe(SECRET)
      expect(opened.body.data).toMatchObject({ slug: place.slug, views: 1 })
      const openedAt = new Date(t.clock.nowMs()).toISOString()
      expect(await look(t, place)).toMatchObject({ views_left: 0, ended: 'used_up', opened_at: openedAt })
      const other = await openSlowly(t, place)
      expect([other.status, other.body.error.code]).toEqual([410, `${place.kind}.used_up`])
    }
  })

  test('the same device can reopen the share for ten minutes without a view, an intent or a password', async () => {
    await using t = await start({ password: 'sesame', pin: '12345' })
    for (const place of places) {
      const device = newDevice()
      const opened = await openSlowly(t, place, { device, password: 'sesame', pin: '12345' })
      expect(opened.status).toBe(200)
      for (let minutes = 0; minutes < 9; minutes += 3) {
        t.clock.advance({ seconds: 180 })
        const again = await open(t, place, { device })
        expect(again.status).toBe(200)
        expect(await contentsOf(t, again.body.data)).toBe(SECRET)
        expect(again.body.data.views).toBe(1)
      }
      // The sweep must not delete the contents while the device is allowed to reopen the share.
      await t.ctx.jobs.drain()
      expect((await open(t, place, { device })).status).toBe(200)
      expect((await open(t, place, { device: newDevice() })).status).toBe(410)
      t.clock.advance({ seconds: 61 })
      expect((await open(t, place, { device })).status).toBe(410)
    }
    await t.ctx.jobs.drain()
    const [text] = await t.ctx.db.selectFrom('pastes').select(['content', 'pin_hash']).execute()
    expect(text).toEqual({ content: '', pin_hash: null })
    expect(await t.ctx.db.selectFrom('opening_devices').selectAll().execute()).toEqual([])
  })

  test('the setting determines the reopening time; with 0 no device can reopen, and a text is purged immediately', async () => {
    await using t = await start()
    await setGrace(t, 0)
    for (const place of places) {
      const device = newDevice()
      expect((await openSlowly(t, place, { device })).status).toBe(200)
      expect((await open(t, place, { device })).status).toBe(410)
    }
    await t.ctx.jobs.settle()
    const texts = await t.ctx.db.selectFrom('pastes').select('content').execute()
    expect(texts).toEqual([{ content: '' }])
    await setGrace(t, 60)
    const place = { kind: 'paste', slug: 'long' } as const
    await shareAsking(t, place)
    const device = newDevice()
    await openSlowly(t, place, { device })
    t.clock.advance({ seconds: 59 * 60 })
    expect((await open(t, place, { device })).body.data.content).toBe(SECRET)
  })

  test('the reopening time ends with the expiry of the share', async () => {
    await using t = await startApp()
    const place = { kind: 'paste', slug: 'short' } as const
    const expiresAt = new Date(t.clock.nowMs() + 120_000).toISOString()
    await shareAsking(t, place, { expiresAt })
    const device = newDevice()
    expect((await openSlowly(t, place, { device })).status).toBe(200)
    t.clock.advance({ seconds: 118 })
    expect((await open(t, place, { device })).status).toBe(200)
    t.clock.advance({ seconds: 2 })
    expect((await open(t, place, { device })).status).toBe(410)
  })

  test('the link suffix of a used-up share is free when no device can reopen it any more', async () => {
    await using t = await start()
    const create = {
      paste: () => t.admin.call('POST', '/api/paste', { body: { content: 'next', slug: 'a-paste' } }),
      file: () =>
        t.admin.call('PUT', '/api/upload-direct/b.txt', { payload: 'b', query: { slug: 'a-file' } }),
    }
    const device = newDevice()
    for (const place of places) await openSlowly(t, place, { device })
    for (const place of places) {
      const taken = await create[place.kind]()
      expect([taken.status, taken.body.error.code]).toEqual([409, `${place.kind}.slug_taken`])
      expect((await open(t, place, { device })).status).toBe(200)
    }
    t.clock.advance({ seconds: 601 })
    for (const place of places) expect((await create[place.kind]()).status).toBeLessThan(300)
  })

  test('a changed password or PIN ends the reopening time; a changed suffix is a different link', async () => {
    await using t = await start({ max_views: '5' })
    const change = {
      paste: (more: object) => t.admin.call('PUT', '/api/admin/pastes/a-paste', { body: more }),
      file: (more: object) => t.admin.call('PUT', '/api/admin/files/a-file', { body: more }),
    }
    const text = { content: SECRET, maxViews: 5 }
    for (const place of places) {
      const base = place.kind === 'paste' ? text : {}
      for (const lock of [{ password: 'new' }, { pin: '4321' }, { pin: '' }]) {
        const device = newDevice()
        const keys = { password: 'new', pin: '4321' }
        expect((await openSlowly(t, place, { device, ...keys })).status).toBe(200)
        expect((await open(t, place, { device })).status).toBe(200)
        expect((await change[place.kind]({ ...base, ...lock })).status).toBe(200)
        expect((await open(t, place, { device })).status).not.toBe(200)
      }
    }
  })

  test('password and PIN are required, and a wrong one does not use up the intent', async () => {
    await using t = await start({ password: 'sesame', pin: '1234' })
    for (const place of places) {
      expect(await look(t, place)).toMatchObject({ requires_password: true, requires_pin: true })
      const { intent } = (await askIntent(t, place)).body.data
      t.clock.advance({ seconds: 1 })
      const code = async (keys: object) => (await open(t, place, { intent, ...keys })).body.error?.code
      expect(await code({})).toBe(`${place.kind}.password_missing`)
      expect(await code({ password: 'wrong', pin: '1234' })).toBe(`${place.kind}.password_wrong`)
      expect(await code({ password: 'sesame' })).toBe('share.pin_missing')
      expect(await code({ password: 'sesame', pin: '4321' })).toBe('share.pin_wrong')
      expect(await look(t, place)).toMatchObject({ views_left: 1 })
      // A client without an intent cannot guess a PIN, and a guess does not use up the intent.
      for (const without of [{ intent: null }, { intent: 'unknown' }])
        expect(await code({ ...without, password: 'sesame', pin: '0000' })).toBe('share.intent_invalid')
      expect(await ownerSees(t, place)).toMatchObject({ opening_note: { wrong_pins: 1 } })
      expect((await open(t, place, { intent, password: 'sesame', pin: '1234' })).status).toBe(200)
    }
  })

  test('five wrong PINs from any senders block the share for fifteen minutes, but not permanently', async () => {
    await using t = await start({ pin: '1234' })
    for (const place of places) {
      // Input that does not have the form of a PIN is rejected, and does not count as a wrong guess.
      for (const slip of ['12', '1234 ', 'abcd', '123456789'])
        expect((await openSlowly(t, place, { pin: slip })).body.error?.code).toBe('share.pin_wrong')
      for (let guess = 0; guess < 5; guess += 1) {
        t.clock.advance({ seconds: 100 })
        expect((await openSlowly(t, place, { pin: `000${guess}` })).body.error?.code).toBe('share.pin_wrong')
      }
      const paused = await openSlowly(t, place, { pin: '1234' })
      expect([paused.status, paused.body.error?.code]).toEqual([429, 'request.rate_limited'])
      expect(paused.headers['retry-after']).toBe('899')
      t.clock.advance({ seconds: 890 })
      expect((await openSlowly(t, place, { pin: '1234' })).status).toBe(429)
      t.clock.advance({ seconds: 8 })
      expect((await openSlowly(t, place, { pin: '1234' })).status).toBe(200)
      expect(await ownerSees(t, place)).toMatchObject({ has_pin: true, opening_note: { wrong_pins: 5 } })
    }
  })

  test('a triggered trap blocks the share for ten minutes, only for this client', async () => {
    await using t = await start()
    const scanner = { 'user-agent': 'Mozilla/5.0 (compatible; Examplebot/1.0)' }
    for (const place of places) {
      const { intent } = (await askIntent(t, place, scanner)).body.data
      const trap = (token: string) =>
        t.visitor.call('POST', openingUrl(place, 'intent/trap'), {
          headers: scanner,
          body: { intent: token },
        })
      const early = (await askIntent(t, place, scanner)).body.data.intent as string
      expect((await trap('unknown')).body.error?.code).toBe('share.intent_invalid')
      expect((await trap(intent as string)).status).toBe(200)
      const refused = await askIntent(t, place, scanner)
      expect([refused.status, refused.body.error?.code]).toEqual([403, 'share.automated'])
      t.clock.advance({ seconds: 1 })
      const opened = await t.visitor.call('POST', openingUrl(place, 'open'), {
        headers: scanner,
        body: { device: newDevice(), intent: early },
      })
      expect(opened.body.error?.code).toBe('share.automated')
      expect((await askIntent(t, place, { 'user-agent': 'a person' })).status).toBe(200)
      expect(await ownerSees(t, place)).toMatchObject({
        opening_note: { previews: 1, previewed_by: 'Examplebot', opened_at: null },
      })
      t.clock.advance({ seconds: 601 })
      expect((await askIntent(t, place, scanner)).status).toBe(200)
    }
  })

  test('a used-up share that is armed opens again, only for a new device', async () => {
    await using t = await start({ pin: '1234' })
    const key = await t.keyClient({ text_permission: true, file_permission: true })
    for (const place of places) {
      const device = newDevice()
      await openSlowly(t, place, { device, pin: '1234' })
      const { id } = await ownerSees(t, place)
      for (let guess = 0; guess < 5; guess += 1) await t.ctx.throttles.count([pinRuleOf(place.kind, id)])
      const url = `/api/opening/${place.kind}/${place.slug}/arm`
      expect((await t.visitor.call('POST', url)).status).toBe(401)
      expect((await key.call('POST', url)).body.error?.code).toBe(`${place.kind}.not_found`)
      expect((await t.admin.call('POST', url)).status).toBe(200)
      expect(await look(t, place)).toMatchObject({ views_left: 1, ended: null, opened_at: null })
      expect(await ownerSees(t, place)).toMatchObject({ opening_note: { opened_at: null } })
      // The device needs an intent and the PIN again. Earlier wrong PINs no longer count.
      expect((await open(t, place, { device })).body.error?.code).toBe('share.intent_invalid')
      expect((await openSlowly(t, place, { device })).body.error?.code).toBe('share.pin_missing')
      expect((await openSlowly(t, place, { pin: '1234' })).status).toBe(200)
    }
    t.clock.advance({ hours: 7 })
    await t.ctx.jobs.drain()
    for (const { kind, slug } of places)
      expect((await t.admin.call('POST', `/api/opening/${kind}/${slug}/arm`)).body.error?.code).toBe(
        'share.contents_gone',
      )
    const audit = (await t.admin.call('GET', '/api/admin/audit')).body.data.entries
    expect(audit.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['text.arm', 'file.arm']),
    )
  })

  test('only the shares of the caller with a view limit are changed to require confirmation', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true, file_permission: true })
    const text = (by: typeof t.admin, slug: string, more: object) =>
      by.call('POST', '/api/paste', { body: { content: 'x', slug, ...more } })
    const file = (by: typeof t.admin, slug: string, more: Record<string, string>) =>
      by.call('PUT', '/api/upload-direct/a.txt', { payload: 'x', query: { slug, ...more } })
    await text(key, 'k1', { maxViews: 3 })
    await text(key, 'k2', {})
    await text(t.admin, 'a1', { maxViews: 1 })
    await file(key, 'k1', { max_views: '3' })
    await file(key, 'k2', {})
    await file(t.admin, 'a1', { max_views: '1' })
    const ask = async (by: typeof t.admin) => [
      (await by.call('POST', '/api/opening/paste/ask-limited')).body.data.changed,
      (await by.call('POST', '/api/opening/file/ask-limited')).body.data.changed,
    ]
    expect(await ask(key)).toEqual([1, 1])
    expect(await ask(key)).toEqual([0, 0])
    for (const kind of KINDS) {
      expect(await look(t, { kind, slug: 'k1' })).toMatchObject({ opening: 'ask', views_left: 3 })
      for (const slug of ['k2', 'a1'])
        expect(await look(t, { kind, slug })).toMatchObject({ opening: 'direct' })
    }
    expect(await ask(t.admin)).toEqual([1, 1])
  })

  test('intents and states exist only for active shares', async () => {
    await using t = await start({ max_views: '1' })
    for (const place of places) {
      for (const act of ['state', 'intent'] as const) {
        const method = act === 'state' ? 'GET' : 'POST'
        const missing = await t.visitor.call(method, openingUrl({ ...place, slug: 'none' }, act))
        expect([missing.status, missing.body.error.code]).toEqual([404, `${place.kind}.not_found`])
      }
      await openSlowly(t, place)
      expect((await askIntent(t, place)).body.error?.code).toBe(`${place.kind}.used_up`)
    }
    const place = { kind: 'paste', slug: 'expiring' } as const
    await shareAsking(t, place, { expiresAt: new Date(t.clock.nowMs() + 60_000).toISOString() })
    t.clock.advance({ seconds: 61 })
    const over = await t.visitor.call('GET', openingUrl(place, 'state'))
    expect([over.status, over.body.error.code]).toEqual([410, 'paste.expired'])
  })

  test('a PIN is refused without confirmation; a new PIN turns confirmation on', async () => {
    await using t = await startApp()
    const create = (body: object) => t.admin.call('POST', '/api/paste', { body: { content: 'x', ...body } })
    const refused = await create({ opening: 'direct', pin: '1234' })
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'share.pin_needs_ask'])
    for (const pin of ['123', '123456789', '12a4', ' 1234'])
      expect([pin, (await create({ pin })).status]).toEqual([pin, 400])
    const upload = await t.admin.call('PUT', '/api/upload-direct/a.txt', {
      payload: 'x',
      query: { opening: 'direct', pin: '1234' },
    })
    expect(upload.body.error?.code).toBe('share.pin_needs_ask')
    const { slug } = (await create({ slug: 'pinned', pin: '1234' })).body
    const place = { kind: 'paste', slug } as const
    expect(await look(t, place)).toMatchObject({ opening: 'ask', requires_pin: true })
    const update = (body: object) =>
      t.admin.call('PUT', '/api/admin/pastes/pinned', { body: { content: 'x', ...body } })
    expect((await update({ opening: 'direct' })).body.error?.code).toBe('share.pin_needs_ask')
    expect((await update({})).status).toBe(200)
    expect(await look(t, place)).toMatchObject({ opening: 'ask', requires_pin: true })
    expect((await update({ opening: 'direct', pin: null })).status).toBe(200)
    expect(await look(t, place)).toMatchObject({ opening: 'direct', requires_pin: false })
    expect((await update({ pin: '4321' })).status).toBe(200)
    expect(await look(t, place)).toMatchObject({ opening: 'ask', requires_pin: true })
    const stored = await t.ctx.db.selectFrom('pastes').select('pin_hash').executeTakeFirstOrThrow()
    expect(stored.pin_hash).toMatch(/^\$argon2/)
    expect((await t.admin.call('GET', '/api/admin/pastes/pinned')).text).not.toContain('argon2')
  })

  test('links of an opened file work without another view, until the password or PIN changes', async () => {
    await using t = await start({ pin: '1234', use_proxy: '0' })
    const place = placeOf('file')
    const { data } = (await openSlowly(t, place, { pin: '1234' })).body
    for (const name of ['previewUrl', 'downloadUrl', 'proxy_preview_url', 'proxy_download_url'])
      for (const headers of [{}, { range: 'bytes=2-5' }]) {
        const read = await t.visitor.call('GET', pathOf(data[name]), { headers })
        expect([name, read.status < 300, read.headers.location]).toEqual([name, true, undefined])
      }
    await t.admin.call('PUT', '/api/admin/files/a-file', { body: { pin: '4321' } })
    expect((await t.visitor.call('GET', pathOf(data.downloadUrl))).status).toBe(410)
  })
})
