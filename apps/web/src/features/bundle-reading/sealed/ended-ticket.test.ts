// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { derivePassword } from '@dropleaf/seal'
import { afterEach, expect, test, vi } from 'vitest'
import { makeSealedShare } from '../../../domains/sealed/testing/sealed-share.ts'
import { readWhole } from '../../../domains/sealed/reading/sealed-reading.ts'
import { findTicket } from '../models/stored-ticket.ts'
import { decryptBundle, unlock } from './open-sealed.ts'

const ID = '00000000-0000-4000-8000-00000000dcba'
const NOW = '2026-01-01T00:00:00.000Z'

afterEach(() => vi.unstubAllGlobals())

const reply = (data: unknown) => new Response(JSON.stringify({ code: 200, success: true, message: '', data }))

test.each([
  [1, true],
  [2, false],
])(
  'files are read on after a ticket has ended, unless the bundle has changed: revision %i',
  async (now, works) => {
    const made = await makeSealedShare({ id: ID, files: { 'a.txt': new TextEncoder().encode('hello') } })
    const { salt, kdf } = made.share.facts
    const opened = {
      slug: 'x',
      created_at: NOW,
      updated_at: NOW,
      expires_at: null,
      max_views: null,
      views: 1,
      revision: 1,
      current_revision: 1,
      ticket: 'old',
      sealed: 1,
      id: ID,
      salt,
      kdf,
      manifest: Buffer.from(made.sealedManifest).toString('base64'),
    }
    vi.stubGlobal('fetch', async (url: string, { body = '' }: { body?: string } = {}) => {
      if (url.endsWith('/open')) return reply({ ...opened, ticket: 'new', revision: now })
      const stored = made.objects[0]?.bytes ?? new Uint8Array()
      if (url.endsWith('/object')) return new Response(stored, { status: 200 })
      if (body.includes('"old"'))
        return new Response(JSON.stringify({ code: 403, error: { code: 'bundle.ticket_invalid' } }), {
          status: 403,
        })
      const expires = new Date(Date.now() + 3_600_000).toISOString()
      return reply([{ n: 0, size: stored.length, url: '/object', relay_url: '/object', expires_at: expires }])
    })
    const look = { id: ID, salt, kdf, version: 1 }
    const unlocked = await unlock({ look, secret: made.share.secret, password: null, derivePassword })
    const { reading } = await decryptBundle('x', opened, unlocked)
    const item = reading.find('a.txt')
    if (!item) throw new Error('missing')
    const read = readWhole(reading.open(item)).then((bytes) => new TextDecoder().decode(bytes))
    if (works) {
      expect(await read).toBe('hello')
      expect(findTicket('x')?.ticket).toBe('new')
    } else await expect(read).rejects.toMatchObject({ cause: { code: 'bundle.ticket_invalid' } })
  },
)
