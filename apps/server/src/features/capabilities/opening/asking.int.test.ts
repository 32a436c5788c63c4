import type { OpeningKind } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import type { TestAnswer } from '../../../testing/app.ts'
import { pathOf } from '../../../testing/files.ts'
import {
  look,
  newDevice,
  openingUrl,
  openSlowly,
  ownerSees,
  SECRET,
  shareAsking,
  takeOne,
} from '../../../testing/opening.ts'
import { describeEachStorage, type StorageTestApp } from '../../../testing/storages.ts'

const PASSWORD = 'open sesame'
const slugOf = (kind: OpeningKind) => `a-${kind}`

interface Way {
  readonly method: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: object
}

/** Every request that returns contents of a share that opens directly. */
const WAYS = {
  paste: (slug: string): Way[] => [
    { method: 'GET', url: `/api/paste/${slug}` },
    { method: 'HEAD', url: `/api/paste/${slug}` },
    { method: 'POST', url: `/api/paste/${slug}`, body: { password: PASSWORD } },
    { method: 'GET', url: `/api/raw/${slug}` },
    { method: 'GET', url: `/api/raw/${slug}?password=${encodeURIComponent(PASSWORD)}` },
    { method: 'HEAD', url: `/api/raw/${slug}` },
    { method: 'GET', url: `/api/raw/${slug}`, headers: { range: 'bytes=0-3' } },
    { method: 'POST', url: `/api/opening/paste/${slug}/take` },
    { method: 'POST', url: `/api/opening/paste/${slug}/take`, headers: { 'x-dropleaf-open': 'no' } },
  ],
  file: (slug: string): Way[] => [
    { method: 'GET', url: `/api/public/files/${slug}` },
    { method: 'HEAD', url: `/api/public/files/${slug}` },
    { method: 'POST', url: `/api/public/files/${slug}/verify`, body: { password: PASSWORD } },
    { method: 'POST', url: `/api/opening/file/${slug}/take`, body: { password: PASSWORD } },
    ...['file-view', 'file-download', 'office-preview'].flatMap((door) => {
      const url = `/api/${door}/${slug}`
      return ['GET', 'HEAD'].flatMap((method) => [
        { method, url },
        { method, url, headers: { range: 'bytes=0-3' } },
        { method, url, headers: { range: 'bytes=4-' } },
        { method, url, headers: { range: 'bytes=-1' } },
        { method, url: `${url}?password=${encodeURIComponent(PASSWORD)}` },
        { method, url: `${url}?ticket=4102444800.bad` },
        { method, url, headers: { 'if-none-match': '*' } },
        { method, url, headers: { 'sec-purpose': 'prefetch;prerender' } },
      ])
    }),
  ],
} as const

const shows = ({ text, headers }: TestAnswer) => `${text} ${JSON.stringify(headers)}`.includes(SECRET)

describeEachStorage('a share that requires confirmation', ({ startApp }) => {
  async function start(settings: Record<string, string>): Promise<StorageTestApp> {
    const t = await startApp()
    for (const kind of ['paste', 'file'] as const)
      await shareAsking(
        t,
        { kind, slug: slugOf(kind) },
        { ...(kind === 'file' && { s3_config_id: t.storage.configId, use_proxy: '0' }), ...settings },
      )
    return t
  }

  test('responds to every direct request with 428 and instructions, and counts no view', async () => {
    for (const settings of [{}, { password: PASSWORD }, { max_views: '' }]) {
      await using t = await start(settings)
      for (const kind of ['paste', 'file'] as const) {
        const place = { kind, slug: slugOf(kind) }
        const before = await look(t, place)
        const refused: string[] = []
        for (const way of WAYS[kind](slugOf(kind))) {
          const answer = await t.visitor.call(way.method, way.url, {
            ...(way.headers && { headers: way.headers }),
            ...(way.body && { body: way.body }),
          })
          const what = `${way.method} ${way.url} ${JSON.stringify(way.headers ?? {})}`
          expect([what, answer.status, answer.headers.location, shows(answer)]).toEqual([
            what,
            428,
            undefined,
            false,
          ])
          expect([what, answer.headers['cache-control']]).toEqual([what, expect.stringContaining('no-store')])
          if (way.method !== 'HEAD')
            expect(answer.text).toContain(`/api/opening/${kind}/${slugOf(kind)}/take`)
          refused.push(what)
        }
        expect(await look(t, place)).toEqual(before)
        expect(await ownerSees(t, place)).toMatchObject({
          opening: 'ask',
          opening_note: { previews: refused.length, opened_at: null, wrong_pins: 0 },
        })
      }
    }
  })

  test('opens for a file of an Office program by its ticket alone', async () => {
    await using t = await startApp()
    const query = { slug: 'office', opening: 'ask', s3_config_id: t.storage.configId, use_proxy: '0' }
    await t.admin.call('PUT', '/api/upload-direct/a.docx', { payload: SECRET, query })
    const preview = (more = '') => t.visitor.call('GET', `/api/office-preview/office${more}`)
    expect((await preview()).status).toBe(428)
    const { data } = (await openSlowly(t, { kind: 'file', slug: 'office' })).body
    const { search } = new URL(data.proxy_download_url)
    const shown = await preview(search)
    const head = await t.visitor.call('HEAD', `/api/office-preview/office${search}`)
    expect([head.status, head.text]).toEqual([200, ''])
    expect(shown.status).toBe(200)
    expect((await t.visitor.call('GET', pathOf(shown.body.url))).text).toBe(SECRET)
  })

  test('responds with 404 or 410 if it is unknown or ended, before 428', async () => {
    await using t = await start({})
    const device = newDevice()
    for (const kind of ['paste', 'file'] as const) {
      await openSlowly(t, { kind, slug: slugOf(kind) }, { device })
      for (const way of WAYS[kind](slugOf(kind))) {
        const options = { ...(way.headers && { headers: way.headers }), ...(way.body && { body: way.body }) }
        const over = await t.visitor.call(way.method, way.url, options)
        expect([way.url, over.status, shows(over)]).toEqual([way.url, 410, false])
      }
      for (const way of WAYS[kind]('unknown')) {
        const options = { ...(way.headers && { headers: way.headers }), ...(way.body && { body: way.body }) }
        expect([way.url, (await t.visitor.call(way.method, way.url, options)).status]).toEqual([way.url, 404])
      }
    }
  })

  test('shows its owner which programs requested it, with the names of known ones', async () => {
    await using t = await start({})
    const agents = [
      ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'Slackbot-LinkExpanding'],
      ['facebookexternalhit/1.1', 'facebookexternalhit'],
      ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', null],
    ] as const
    // A request without a known program name does not replace the last known name.
    const named = [agents[0][1], agents[1][1], agents[1][1]]
    for (const [at, [agent]] of agents.entries()) {
      await t.visitor.call('GET', `/api/paste/${slugOf('paste')}`, { headers: { 'user-agent': agent } })
      expect(await ownerSees(t, { kind: 'paste', slug: slugOf('paste') })).toMatchObject({
        opening_note: {
          previews: at + 1,
          previewed_at: new Date(t.clock.nowMs()).toISOString(),
          previewed_by: named[at],
          opened_at: null,
        },
      })
    }
    // The last request is not counted, because it loaded the page of the person who now opens the share.
    await openSlowly(t, { kind: 'paste', slug: slugOf('paste') }, { userAgent: agents[2][0] })
    const { id } = await ownerSees(t, { kind: 'paste', slug: slugOf('paste') })
    const detail = (await t.admin.call('GET', `/api/admin/pastes/${id}`)).body.data
    expect(detail).toMatchObject({
      opening: 'ask',
      has_pin: false,
      opening_note: { previews: 2, opened_at: new Date(t.clock.nowMs()).toISOString() },
    })
    // Deleting the share deletes its note.
    await t.admin.call('DELETE', `/api/admin/pastes/${id}`)
    await t.ctx.jobs.drain()
    expect(await t.ctx.db.selectFrom('opening_notes').selectAll().execute()).toEqual([])
  })
})

describeEachStorage('one call that opens', ({ startApp }) => {
  const places = [
    { kind: 'paste', slug: 'one-text' },
    { kind: 'file', slug: 'one-file' },
  ] as const

  test('returns the text, or redirects to the bytes; as JSON what the page gets', async () => {
    await using t = await startApp()
    for (const place of places)
      await shareAsking(t, place, {
        max_views: '3',
        ...(place.kind === 'file' && { s3_config_id: t.storage.configId, use_proxy: '0' }),
      })
    const [text, file] = places
    const plain = await takeOne(t, text, { accept: '*/*' })
    expect([plain.status, plain.text, plain.headers['content-type'], plain.headers['cache-control']]).toEqual(
      [200, SECRET, 'text/plain; charset=utf-8', 'no-store'],
    )
    const typed = await takeOne(t, text, { accept: 'text/plain' })
    expect(typed.text).toBe(SECRET)
    const json = await takeOne(t, text)
    expect(json.body).toMatchObject({ code: 200, success: true, data: { content: SECRET, views: 3 } })
    expect((await takeOne(t, text)).body.error.code).toBe('paste.used_up')
    const led = await takeOne(t, file, { accept: '*/*' })
    expect([led.status, led.headers['cache-control']]).toEqual([303, 'no-store'])
    const bytes = await t.visitor.call('GET', pathOf(led.headers.location ?? ''))
    expect([bytes.status, bytes.text]).toEqual([200, SECRET])
    expect(bytes.headers['content-disposition']).toContain('a.txt')
    expect((await takeOne(t, file)).body.data).toMatchObject({ slug: 'one-file', views: 2 })
    expect(await look(t, file)).toMatchObject({ views_left: 1 })
  })

  test('accepts password and PIN in a JSON or form body, and a device id for repeated requests', async () => {
    await using t = await startApp()
    for (const place of places) {
      await shareAsking(t, place, { password: 'sesame', pin: '1234' })
      const code = async (body?: object) => (await takeOne(t, place, body ? { body } : {})).body.error?.code
      expect(await code()).toBe(`${place.kind}.password_missing`)
      expect(await code({ password: 'sesame' })).toBe('share.pin_missing')
      expect(await code({ password: 'sesame', pin: '4321' })).toBe('share.pin_wrong')
      const form = await t.visitor.call('POST', openingUrl(place, 'take'), {
        payload: 'password=sesame&pin=9999',
        headers: { 'x-dropleaf-open': 'yes', 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(form.body.error.code).toBe('share.pin_wrong')
      const device = newDevice()
      const body = { password: 'sesame', pin: '1234', device }
      expect((await takeOne(t, place, { body })).status).toBe(200)
      expect((await takeOne(t, place, { body: { device } })).status).toBe(200)
      expect((await takeOne(t, place, { body: { ...body, device: newDevice() } })).status).toBe(410)
      expect((await takeOne(t, place, { body })).body.data.views).toBe(1)
    }
  })

  test('is refused to pages of other origins', async () => {
    await using t = await startApp()
    const preflight = (asked: string) =>
      t.visitor.call('OPTIONS', '/api/opening/paste/one-text/take', {
        headers: {
          origin: 'https://elsewhere.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': asked,
        },
      })
    for (const asked of [
      'x-dropleaf-open',
      'X-Dropleaf-Open',
      'content-type,x-dropleaf-open',
      'content-type, X-DROPLEAF-OPEN ,authorization',
    ]) {
      const { headers } = await preflight(asked)
      expect(headers['access-control-allow-headers'] ?? '').not.toMatch(/dropleaf-open|\*/i)
    }
    const others = (await preflight('content-type,authorization')).headers
    expect(others['access-control-allow-headers']).toBe('content-type,authorization')
    expect((await preflight('content-type,x-dropleaf-open')).headers['access-control-allow-headers']).toBe(
      'content-type',
    )
  })
})
