import { randomBytes, randomUUID } from 'node:crypto'
import { MIB, SEALED_PART_HEADER_BYTES } from '@dropleaf/contract'
import { createShare, derivePassword, openManifest, toBase64url } from '@dropleaf/seal'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../../testing/app.ts'
import {
  draftBundle,
  openBundle,
  publishBundle,
  publishedBundle,
  putObject,
} from '../../../../testing/bundles.ts'
import { filesOnDisk } from '../../../../testing/files.ts'
import {
  announceObject,
  encryptObject,
  openSealed,
  proofOf,
  publishedSealed,
  publishText,
  putSealed,
  SEGMENTS_PER_PART,
  sealedDraft,
  sealedText,
  sendObject,
  type TestSealedBundle,
} from '../../../../testing/sealed.ts'

/** Number of wrong proofs that one network may send for a bundle before it has to wait. */
const WRONG_PROOFS = 20

const viewsOf = async (t: TestApp, { id }: { id: string }) =>
  (await t.ctx.db.selectFrom('bundles').select('views').where('id', '=', id).executeTakeFirstOrThrow()).views

const readManifest = (bundle: TestSealedBundle, text: string, revision = 1) => {
  const { salt, kdf } = bundle.share.facts
  return openManifest({
    sealed: new Uint8Array(Buffer.from(text, 'base64')),
    manifestKey: bundle.share.keys.manifestKey,
    place: { bundleId: bundle.id, revision, salts: { salt, kdf } },
  })
}

describeEachDatabase('sealed bundles', ({ startApp }) => {
  test('a text opens with the proof only, and no other request uses a view', async () => {
    await using t = await startApp()
    const bundle = await publishedSealed(t.admin, { page: 'for holders of the link' })
    const { data: look } = (await t.visitor.call('GET', `/api/bundles/${bundle.slug}`)).body
    expect(look).toMatchObject({
      id: bundle.id,
      sealed: 1,
      salt: bundle.share.facts.salt,
      kdf: null,
      requires_password: false,
      opening: 'direct',
    })
    expect((await openBundle(t, bundle.slug)).body.error?.code).toBe('bundle.proof_missing')
    const wrong = await openBundle(t, bundle.slug, { proof: toBase64url(randomBytes(32)) })
    expect([wrong.status, wrong.body.error?.code]).toEqual([401, 'bundle.proof_wrong'])
    expect(await viewsOf(t, bundle)).toBe(0)
    const { data } = (await openSealed(t, bundle)).body
    expect(data).toMatchObject({ sealed: 1, revision: 1, id: bundle.id, views: 1 })
    expect((await readManifest(bundle, data.manifest)).page).toEqual({
      type: 'text/plain',
      text: 'for holders of the link',
    })
    const again = await t.visitor.call('GET', `/api/bundles/${bundle.slug}/opened`, {
      query: { ticket: data.ticket },
    })
    expect([again.body.data.manifest, await viewsOf(t, bundle)]).toEqual([data.manifest, 1])
  })

  test('wrong proofs are counted like wrong passwords', async () => {
    await using t = await startApp()
    const bundle = await publishedSealed(t.admin)
    const statuses: number[] = []
    for (let tries = 0; tries <= WRONG_PROOFS; tries += 1)
      statuses.push((await openBundle(t, bundle.slug, { proof: toBase64url(randomBytes(32)) })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    // The limit does not apply to a reader who has the link key.
    expect((await openSealed(t, bundle)).status).toBe(200)
  })

  test('wrong passwords of an encrypted bundle are limited, and then the right one is refused for a while', async () => {
    await using t = await startApp()
    const bundle = await publishedSealed(t.admin, { password: 'right' })
    const statuses: number[] = []
    for (let tries = 0; tries <= WRONG_PROOFS; tries += 1)
      statuses.push((await openBundle(t, bundle.slug, { proof: toBase64url(randomBytes(32)) })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    expect((await openSealed(t, bundle)).status).toBe(429)
  })

  test('a device that opens a bundle again needs the proof again', async () => {
    await using t = await startApp()
    const bundle = await publishedSealed(t.admin, { opening: 'ask', max_views: 1 })
    const device = toBase64url(randomBytes(32))
    const take = (body: object) =>
      t.visitor.call('POST', `/api/opening/bundle/${bundle.slug}/take`, {
        body,
        headers: { 'x-dropleaf-open': 'yes', accept: 'application/json' },
      })
    expect((await take({ device, proof: proofOf(bundle) })).status).toBe(200)
    // The device requests the salts again after a reload.
    const look = await t.visitor.call('GET', `/api/bundles/${bundle.slug}`)
    expect([look.status, look.body.data?.salt]).toEqual([200, bundle.share.facts.salt])
    expect((await take({ device, proof: proofOf(bundle) })).status).toBe(200)
    expect((await take({ device })).status).toBe(410)
    expect((await take({ device, proof: toBase64url(randomBytes(32)) })).status).toBe(410)
    expect(await viewsOf(t, bundle)).toBe(1)
    t.clock.advance({ hours: 13 })
    await t.ctx.jobs.drain()
    expect((await t.visitor.call('GET', `/api/bundles/${bundle.slug}`)).body.error?.code).toBe(
      'bundle.used_up',
    )
  })

  test('programs that cannot decrypt get an error that says so, and use no view', async () => {
    await using t = await startApp()
    const bundle = await publishedSealed(t.admin, { bytes: new Uint8Array(10) })
    const plain = await t.visitor.call('GET', `/s/${bundle.slug}`, {
      headers: { accept: '*/*', 'user-agent': 'curl/8.0' },
    })
    expect([plain.status, plain.text]).toEqual([406, expect.stringContaining('dropleaf get')])
    const taken = await t.visitor.call('POST', `/api/opening/bundle/${bundle.slug}/take`, {
      headers: { 'x-dropleaf-open': 'yes' },
      body: { proof: proofOf(bundle) },
    })
    expect(taken.body.error?.code).toBe('bundle.is_sealed')
    expect(await viewsOf(t, bundle)).toBe(0)
    const { ticket } = (await openSealed(t, bundle)).body.data
    for (const route of ['list', 'file', 'page', 'archive', 'thumbnail']) {
      const query = { ticket, path: 'a/file.bin' }
      const answer = await t.visitor.call('GET', `/api/bundles/${bundle.slug}/${route}`, { query })
      expect([route, answer.status, answer.text]).toEqual([route, 406, expect.stringContaining('end-to-end')])
    }
    const current = await t.visitor.call('GET', `/api/bundles/${bundle.slug}/current`, { query: { ticket } })
    expect(current.body.data).toEqual({ revision: 1 })
  })

  test('objects of several parts come back byte for byte, whole and in ranges', async () => {
    await using t = await startApp()
    const bytes = new Uint8Array(randomBytes(6_000_001))
    const bundle = await publishedSealed(t.admin, { bytes })
    const { ticket, manifest } = (await openSealed(t, bundle)).body.data
    const [object] = (await readManifest(bundle, manifest)).objects
    const asked = await t.visitor.call('POST', `/api/bundles/${bundle.slug}/addresses`, {
      body: { ticket, objects: [0] },
    })
    const [address] = asked.body.data
    expect(address).toMatchObject({ n: 0, size: object?.stored })
    const stored = (await t.visitor.call('GET', new URL(address.relay_url).pathname, { query: { ticket } }))
      .bytes
    expect(stored.length).toBe(object?.stored)
    const direct = new URL(address.url)
    const cut = await t.visitor.call('GET', direct.pathname + direct.search, {
      headers: { range: 'bytes=5000000-5000099' },
    })
    expect([cut.status, Buffer.compare(cut.bytes, stored.subarray(5_000_000, 5_000_100))]).toEqual([206, 0])
    expect(stored.subarray(0, 8).toString('hex')).toBe('444c533100000000')
    expect(stored.includes(Buffer.from(bytes.subarray(0, 64)))).toBe(false)
  })

  test('the server returns URLs only for objects of the opened revision', async () => {
    await using t = await startApp()
    const bundle = await publishedSealed(t.admin, { bytes: new Uint8Array(10) })
    await putSealed(t.admin, bundle, { n: 1, bytes: new Uint8Array(10) })
    const { ticket } = (await openSealed(t, bundle)).body.data
    const ask = (objects: number[], query = ticket) =>
      t.visitor.call('POST', `/api/bundles/${bundle.slug}/addresses`, { body: { ticket: query, objects } })
    expect((await ask([0])).status).toBe(200)
    expect((await ask([1])).body.error?.code).toBe('bundle.object_missing')
    expect((await ask([0], `${ticket}x`)).body.error?.code).toBe('bundle.ticket_invalid')
    const second = await sealedText(bundle, { page: { type: 'text/plain', text: 'second' } }, 2)
    await publishText(t.admin, bundle, { text: second, objects: [1], expected: 1 })
    // The owner reads each stored revision with a separate ticket.
    const ofRevision = async (revision: number) =>
      (await t.admin.call('GET', `/api/bundles/${bundle.id}/revisions/${revision}`)).body.data.ticket
    expect((await ask([0], await ofRevision(1))).status).toBe(200)
    expect((await ask([0], await ofRevision(2))).body.error?.code).toBe('bundle.object_missing')
    expect((await ask([1], await ofRevision(2))).status).toBe(200)
    const open = await publishedBundle(t.admin)
    const opened = (await openBundle(t, open.slug)).body.data.ticket
    const wrong = await t.visitor.call('POST', `/api/bundles/${open.slug}/addresses`, {
      body: { ticket: opened, objects: [0] },
    })
    expect(wrong.body.error?.code).toBe('bundle.not_sealable')
  })

  test('a later revision is published with the number that its manifest contains', async () => {
    await using t = await startApp()
    const bundle = await publishedSealed(t.admin)
    const text = await sealedText(bundle, { page: { type: 'text/plain', text: 'second' } }, 2)
    expect((await publishText(t.admin, bundle, { text, expected: 0 })).body.error?.code).toBe(
      'bundle.changed',
    )
    expect((await publishText(t.admin, bundle, { text, expected: 1 })).status).toBe(201)
    // A client repeats the request if the response was lost.
    expect((await publishText(t.admin, bundle, { text, expected: 1 })).status).toBe(201)
    const { data } = (await openSealed(t, bundle)).body
    expect((await readManifest(bundle, data.manifest, 2)).page?.type).toBe('text/plain')
    const own = (await t.admin.call('GET', `/api/bundles/${bundle.id}/own`)).body.data
    expect(own).toMatchObject({ manifest: null, sealed_manifest: data.manifest, sealed: 1, title: null })
    const first = await t.admin.call('GET', `/api/bundles/${bundle.id}/revisions/1`)
    expect(first.body.data).toMatchObject({ manifest: null, sealed_manifest: expect.any(String) })
    const restored = await t.admin.call('POST', `/api/bundles/${bundle.id}/revisions/1/restore`, {
      body: { expected_revision: 2 },
    })
    expect(restored.body.error?.code).toBe('bundle.is_sealed')
  })

  test('a text is created and published by one request, and a repeated request changes nothing', async () => {
    await using t = await startApp()
    const share = await createShare({ password: null, derivePassword })
    const bundle = { id: randomUUID(), slug: '', share }
    const manifest = await sealedText(bundle, { page: { type: 'text/plain', text: 'written offline' } })
    const body = { id: bundle.id, sealed: 1, ...share.facts, manifest }
    const made = await t.admin.call('POST', '/api/bundles', { body })
    const again = await t.admin.call('POST', '/api/bundles', { body })
    expect([made.status, again.status, again.body.data.slug]).toEqual([201, 201, made.body.data.slug])
    const { data: own } = (await t.admin.call('GET', `/api/bundles/${bundle.id}/own`)).body
    expect(own).toMatchObject({ revision: 1, sealed_manifest: manifest })
    const { data } = (await openSealed(t, { ...bundle, slug: own.slug })).body
    expect((await readManifest(bundle, data.manifest)).page).toMatchObject({ text: 'written offline' })
    const open = await t.admin.call('POST', '/api/bundles', { body: { id: randomUUID(), manifest } })
    expect(open.body.error?.code).toBe('bundle.not_sealable')
  })

  test('the seal of a bundle never changes', async () => {
    await using t = await startApp()
    const id = randomUUID()
    const bundle = await sealedDraft(t.admin, { id })
    const update = (body: object) => t.admin.call('PUT', `/api/bundles/${bundle.id}`, { body })
    expect((await update({ password: 'new' })).body.error?.code).toBe('bundle.seal_fixed')
    expect((await update({ remark: 'mine' })).status).toBe(200)
    const repeated = await t.admin.call('POST', '/api/bundles', {
      body: { id, sealed: 1, ...bundle.share.facts },
    })
    expect([repeated.status, repeated.body.data.slug]).toEqual([201, bundle.slug])
    for (const change of [
      { salt: toBase64url(randomBytes(16)) },
      { verifier: toBase64url(randomBytes(32)) },
    ]) {
      const body = { id, sealed: 1, ...bundle.share.facts, ...change }
      expect((await t.admin.call('POST', '/api/bundles', { body })).body.error?.code).toBe('bundle.id_taken')
    }
    expect((await t.admin.call('POST', '/api/bundles', { body: { id } })).body.error?.code).toBe(
      'bundle.id_taken',
    )
  })

  test('a seal without a required field, or with a password for the server, is refused', async () => {
    await using t = await startApp()
    const { share } = await sealedDraft(t.admin)
    const { salt, verifier } = share.facts
    for (const body of [
      { sealed: 1 },
      { sealed: 1, salt },
      { salt, verifier },
      { sealed: 1, salt, verifier, password: 'pw' },
    ]) {
      const { body: answer } = await t.admin.call('POST', '/api/bundles', { body })
      expect([body, answer.error?.code]).toEqual([body, 'bundle.seal_incomplete'])
    }
    const kdf = { name: 'argon2id', m: 1024, t: 1, p: 1, salt }
    const weak = await t.admin.call('POST', '/api/bundles', { body: { sealed: 1, salt, verifier, kdf } })
    expect(weak.status).toBe(400)
  })

  test('an encrypted bundle with a password is listed as protected, without the password', async () => {
    await using t = await startApp()
    const bundle = await publishedSealed(t.admin, { password: 'a secret word' })
    const look = (await t.visitor.call('GET', `/api/bundles/${bundle.slug}`)).body.data
    expect([look.requires_password, look.kdf]).toEqual([true, bundle.share.facts.kdf])
    const state = (await t.visitor.call('GET', `/api/opening/bundle/${bundle.slug}/state`)).body.data
    expect(state.requires_password).toBe(true)
    const [listed] = (await t.admin.call('GET', '/api/shares')).body.data.shares
    expect(listed).toMatchObject({ sealed: 1, has_password: true, title: null, item_count: null })
    const own = (await t.admin.call('GET', `/api/bundles/${bundle.id}/own`)).body.data
    expect([own.has_password, own.plain_password]).toEqual([true, null])
  })
})

describeEachDatabase('what is not encrypted', ({ startApp }) => {
  test('does not become an object of a sealed bundle, and is deleted', async () => {
    await using t = await startApp()
    const bundle = await sealedDraft(t.admin)
    const { parts, stored, part_size } = await encryptObject(new Uint8Array(6_000_000))
    const [first = new Uint8Array(), second = new Uint8Array()] = parts
    const wrongs = {
      plain: parts.map(({ length }) => new Uint8Array(length).fill(65)),
      'plain end': [first, new Uint8Array(second.length)],
      'plain start': [new Uint8Array(first.length), second],
      'a part twice': [first, first.subarray(0, second.length)],
    }
    for (const [name, sent] of Object.entries(wrongs)) {
      expect((await announceObject(t.admin, bundle, { n: 0, stored, part_size })).status).toBe(200)
      const done = await sendObject(t.admin, bundle, { n: 0, parts: sent })
      expect([name, done.status, done.body.error?.code]).toEqual([name, 422, 'bundle.not_sealed'])
    }
    await t.ctx.jobs.drain()
    expect((await filesOnDisk(t)).filter((path) => path.includes('sealed'))).toEqual([])
    expect((await putObject(t.admin, bundle, { n: 0 })).body.error?.code).toBe('bundle.not_sealed')
    const named = { objects: [{ n: 0, filename: 'holiday.jpg', size: 3 }] }
    const announced = await t.admin.call('POST', `/api/bundles/${bundle.id}/objects`, { body: named })
    expect(announced.body.error?.code).toBe('bundle.not_sealed')
    expect(await t.ctx.db.selectFrom('files').select('id').execute()).toEqual([])
  })

  test('is refused as a manifest of a sealed bundle in each of 100 attempts', async () => {
    await using t = await startApp()
    const bundle = await sealedDraft(t.admin)
    for (let round = 0; round < 100; round += 1) {
      const plain = { v: 1, page: { type: 'text/plain', text: `note ${round} `.repeat(100) }, items: [] }
      const text = Buffer.from(JSON.stringify(plain)).toString('base64')
      const answer = await publishText(t.admin, bundle, { text })
      expect([answer.status, answer.body.error?.code]).toEqual([422, 'bundle.not_sealed'])
    }
    const open = await publishBundle(t.admin, bundle, { page: { text: 'plain' }, expected: 0 })
    expect(open.body.error?.code).toBe('bundle.not_sealed')
    expect(await t.ctx.db.selectFrom('bundle_revisions').select('revision').execute()).toEqual([])
  })

  test('encrypted contents are refused for a bundle that is not encrypted', async () => {
    await using t = await startApp()
    const sealed = await sealedDraft(t.admin)
    const open = await draftBundle(t.admin)
    const text = await sealedText(sealed, { page: { type: 'text/plain', text: 'x' } })
    expect((await publishText(t.admin, open, { text })).body.error?.code).toBe('bundle.not_sealable')
    const announced = await announceObject(t.admin, open, { n: 0, stored: 100, part_size: 32 + 262_160 })
    expect(announced.body.error?.code).toBe('bundle.not_sealable')
  })

  test('part sizes that the format does not allow are refused before a byte is sent', async () => {
    await using t = await startApp()
    const bundle = await sealedDraft(t.admin)
    const part_size = 32 + SEGMENTS_PER_PART * 262_160
    for (const [stored, size] of [
      [part_size * 2, part_size + 1],
      [(32 + 262_160) * 2, 32 + 262_160],
      [47, part_size],
      [part_size + 47, part_size],
      [part_size * 10_000 + 100, part_size],
    ] as const) {
      const answer = await announceObject(t.admin, bundle, { n: 0, stored, part_size: size })
      expect([stored, answer.body.error?.code]).toEqual([stored, 'file.parts_invalid'])
    }
  })

  test('the size limit applies to the file, and a pack of small files may be larger', async () => {
    await using t = await startApp()
    const bundle = await sealedDraft(t.admin)
    const part_size = 32 + 32 * 262_160
    // Each part of 8 MiB adds a header of 32 bytes and a tag of 16 bytes for each of its 32 segments.
    for (const [max_upload_size, plainBytes] of [
      [16, 16 * MIB],
      [1, 8 * MIB],
    ] as const) {
      await t.admin.call('PUT', '/api/admin/system-settings', { body: { max_upload_size } })
      const stored = plainBytes + (plainBytes / (8 * MIB)) * (32 + 32 * 16)
      const fits = await announceObject(t.admin, bundle, { n: 0, stored, part_size })
      const isLarger = await announceObject(t.admin, bundle, { n: 1, stored: stored + 49, part_size })
      expect([fits.status, isLarger.body.error?.code]).toEqual([200, 'file.too_large'])
    }
  })

  test('a file within the size limit can be completed, although its object exceeds the limit', async () => {
    await using t = await startApp()
    await t.admin.call('PUT', '/api/admin/system-settings', { body: { max_upload_size: 8 } })
    const bytes = new Uint8Array(8 * MIB - SEALED_PART_HEADER_BYTES)
    const bundle = await publishedSealed(t.admin, { bytes })
    expect((await openSealed(t, bundle)).status).toBe(200)
  })
})
