import type { OpenSealedBundle } from '@dropleaf/contract'
import { derivePassword, parseLinkKey, SealError, toBase64url } from '@dropleaf/seal'
import { beforeEach, expect, test } from 'vitest'
import { makeSealedShare, type SealedShare } from '../../../domains/sealed/testing/sealed-share.ts'
import { createDecryptedFiles } from './decrypted-files.ts'
import { decryptBundle, requireSealed, unlock } from './open-sealed.ts'
import { noteRevision, OlderRevisionError } from '../../../domains/sealed/reading/seen-revisions.ts'
import { forgetTicket, storeTicket } from '../models/stored-ticket.ts'
import { toShownBundle } from './to-shown-bundle.ts'

let count = 0
const newId = () => {
  count += 1
  return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const openedOf = (id: string, { share, sealedManifest }: SealedShare, revision = 1): OpenSealedBundle => ({
  slug: 'x',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  expires_at: null,
  max_views: null,
  views: 1,
  revision,
  current_revision: revision,
  ticket: `ticket-${revision}`,
  sealed: 1,
  id,
  salt: share.facts.salt,
  kdf: share.facts.kdf,
  manifest: base64(sealedManifest),
})

const lookOf = (id: string, { share: { facts } }: SealedShare, version = 1) => ({
  id,
  salt: facts.salt,
  kdf: facts.kdf,
  version,
})

const keysOf = (id: string, made: SealedShare, linkKey = made.share.linkKey) =>
  unlock({ look: lookOf(id, made), secret: parseLinkKey(linkKey), password: null, derivePassword })

beforeEach(() => forgetTicket('x'))

test('a bundle is decrypted into the form that its page shows, with its files', async () => {
  const id = newId()
  const made = await makeSealedShare({
    id,
    title: 'Trip',
    page: '# Hello',
    files: { 'pics/a.png': new Uint8Array(3), 'b.txt': new Uint8Array(5) },
    types: { 'pics/a.png': 'image/png' },
  })
  const decrypted = await decryptBundle('x', openedOf(id, made), await keysOf(id, made))
  const files = createDecryptedFiles(decrypted.reading, { secret: made.share.secret, title: 'Trip' })
  const shown = toShownBundle({ ...decrypted, manifest: decrypted.reading.manifest }, files)
  expect(shown.manifest.page).toEqual({ type: 'text/markdown', text: '# Hello' })
  expect(shown.manifest.items.map(({ path }) => path)).toEqual(['pics/a.png', 'b.txt'])
  expect(shown).toMatchObject({ sealed: null, title: 'Trip', ticket: 'ticket-1' })
  expect(files.sizeOf('b.txt')).toBe(5)
  expect(files.sizeOf('c.txt')).toBeNull()
  expect(files.linkKey).toBe(made.share.linkKey)
  const preview = files.previewOf('pics/a.png')
  expect(preview.folder?.names).toEqual(['a.png'])
  expect(preview.textUrl).not.toContain('a.png')
})

test('another key, bundle, revision or changed bytes are refused', async () => {
  const id = newId()
  const made = await makeSealedShare({ id, page: 'x' })
  const opened = openedOf(id, made)
  const keys = await keysOf(id, made)
  const refused = { code: 'manifest.refused' }
  const other = await keysOf(id, made, toBase64url(new Uint8Array(32)))
  await expect(decryptBundle('x', opened, other)).rejects.toMatchObject(refused)
  await expect(decryptBundle('x', { ...opened, id: newId() }, keys)).rejects.toMatchObject(refused)
  await expect(decryptBundle('x', { ...opened, revision: 2 }, keys)).rejects.toMatchObject(refused)
  const changed = Buffer.from(made.sealedManifest)
  changed[40] = (changed[40] ?? 0) ^ 1
  await expect(decryptBundle('x', { ...opened, manifest: base64(changed) }, keys)).rejects.toMatchObject(
    refused,
  )
})

test('an older revision than this browser has seen is refused, except in the tab that shows it', async () => {
  const id = newId()
  const made = await makeSealedShare({ id, page: 'old', revision: 1 })
  const opened = openedOf(id, made)
  const keys = await keysOf(id, made)
  await decryptBundle('x', opened, keys)
  noteRevision(id, 2)
  // This tab opened revision 1 before another tab opened revision 2.
  await decryptBundle('x', opened, keys)
  storeTicket('x', { ticket: 'another', revision: 1 })
  await expect(decryptBundle('x', opened, keys)).rejects.toBeInstanceOf(OlderRevisionError)
})

test('a newer format, too demanding parameters and a missing password are told before anything is computed', async () => {
  const id = newId()
  const made = await makeSealedShare({ id, page: 'x' })
  const input = { secret: made.share.secret, password: null, derivePassword }
  await expect(unlock({ ...input, look: lookOf(id, made, 2) })).rejects.toMatchObject({
    code: 'manifest.version',
  })
  const kdf = { name: 'argon2id', m: 1024 * 1024, t: 3, p: 1, salt: made.share.facts.salt } as const
  await expect(unlock({ ...input, look: { ...lookOf(id, made), kdf } })).rejects.toMatchObject({
    code: 'kdf.refused',
  })
  await expect(
    unlock({ ...input, look: { ...lookOf(id, made), kdf: { ...kdf, m: 65_536 } } }),
  ).rejects.toMatchObject({ code: 'password.missing' })
})

test('a server that returns an open bundle in place of an encrypted one is not trusted', async () => {
  const id = newId()
  const made = await makeSealedShare({ id, page: 'x' })
  const { id: _id, salt: _salt, kdf: _kdf, ...rest } = openedOf(id, made)
  const open = { ...rest, sealed: null, title: null, manifest: { title: null, page: null, items: [] } }
  expect(() => requireSealed(open)).toThrow(SealError)
})
