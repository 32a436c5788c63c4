import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { share } from '../../../testing/files.ts'

const TOKEN = 'only for the metrics'

const read = (t: TestApp, authorization?: string) =>
  t.visitor.call('GET', '/metrics', authorization === undefined ? {} : { headers: { authorization } })

/** Returns the value of a series. The series is given by its name and labels, as in the output. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describeEachDatabase('metrics', ({ startApp, engine }) => {
  test('report requests, shares, tasks and storages to clients with the token', async () => {
    await using t = await startApp({ env: { METRICS_TOKEN: TOKEN } })
    const paste = await t.admin.call('POST', '/api/paste', { body: { content: 'text' } })
    await share(t.admin, 'a.txt', { bytes: 'twelve bytes' })
    for (let count = 0; count < 3; count += 1) await t.visitor.call('GET', `/api/paste/${paste.body.slug}`)
    await t.visitor.call('GET', '/api/paste/unknown')
    await t.visitor.call('GET', '/api/no-such-route')
    const asked = { origin: 'http://a', 'access-control-request-method': 'POST' }
    await t.app.inject({ method: 'OPTIONS', url: '/api/paste', headers: asked })

    const answer = await read(t, `Bearer ${TOKEN}`)
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=0\.0\.4/),
      'no-store',
    ])
    const { text } = answer
    const requests = (labels: string) =>
      valueOf(text, `dropleaf_http_request_duration_seconds_count{${labels}}`)
    expect(requests('method="GET",route="/api/paste/:slug",status="200"')).toBe(3)
    expect(requests('method="GET",route="/api/paste/:slug",status="404"')).toBe(1)
    expect(requests('method="GET",route="other",status="404"')).toBe(1)
    expect(text).not.toContain('no-such-route')
    // The only request in progress is the request for the metrics.
    expect(valueOf(text, 'dropleaf_http_requests_in_flight')).toBe(1)
    expect(valueOf(text, 'dropleaf_shares{kind="text"}')).toBe(1)
    expect(valueOf(text, 'dropleaf_shares{kind="file"}')).toBe(1)
    expect(valueOf(text, 'dropleaf_tasks{state="running"}')).toBe(0)
    expect(text).toMatch(/^dropleaf_stored_bytes\{storage="[^"]+"\} 12$/m)
    expect(text).toContain(`database="${engine}"`)
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  })

  test('can be requested with HEAD', async () => {
    await using t = await startApp({ env: { METRICS_TOKEN: TOKEN } })
    const ask = (shown: string) =>
      t.visitor.call('HEAD', '/metrics', { headers: { authorization: `Bearer ${shown}` } })
    const answer = await ask(TOKEN)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect((await ask('wrong')).status).toBe(401)
  })

  test('are refused to other clients, and do not exist without a configured token', async () => {
    await using t = await startApp({ env: { METRICS_TOKEN: TOKEN } })
    const refused = await Promise.all(
      [undefined, 'Bearer wrong', `Basic ${TOKEN}`, TOKEN, 'Bearer '].map((shown) => read(t, shown)),
    )
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect((await t.admin.call('GET', '/metrics')).status).toBe(401)
    await using without = await startApp()
    const none = await read(without, `Bearer ${TOKEN}`)
    expect([none.status, none.body.error.code]).toEqual([404, 'request.not_found'])
  })
})
