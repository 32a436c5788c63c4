import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, describeEachDatabase } from '../testing/app.ts'
import { share } from '../testing/files.ts'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string | number }
}

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number }
}

interface Export {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly Span[] }>
  }>
}

/** Starts a collector of OTLP over HTTP that records what it receives. */
async function startCollector() {
  const bodies: string[] = []
  const heads: (string | undefined)[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => void (body += chunk))
    request.on('end', () => {
      heads.push(`${request.url} ${String(request.headers['x-tenant'])}`)
      bodies.push(body)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    heads,
    text: () => bodies.join('\n'),
    resources: () => bodies.flatMap((body) => (JSON.parse(body) as Export).resourceSpans),
    spans(): Span[] {
      return this.resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const of = (span: Span | undefined, key: string) => {
  const value = span?.attributes.find((one) => one.key === key)?.value
  return value?.stringValue ?? Number(value?.intValue)
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PROXY_SPAN = 'b7ad6b7169203331'

describeEachDatabase('traces', ({ startApp, engine }) => {
  test('a request is a child span of the proxy’s span, and its database and storage calls are children of it', async () => {
    await using collector = await startCollector()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
      OTEL_SERVICE_NAME: 'share',
    }
    await using t = await startApp({ env })
    const headers = { traceparent: `00-${TRACE}-${PROXY_SPAN}-01` }
    const content = 'the secret words of a text'
    const body = { content, slug: 'a-telling-link', password: 'open sesame', remark: 'a telling remark' }
    const made = await t.admin.call('POST', '/api/paste', { body, headers })
    expect(made.status).toBe(201)
    await share(t.admin, 'telling-name.txt', { bytes: 'the bytes of a file' })
    await t.visitor.call('GET', '/api/raw/a-telling-link?password=open+sesame')
    await t.visitor.call('GET', '/api/paste/no-such-link?telling=query')
    await t.visitor.call('GET', '/api/a-telling-address')
    await t.ctx.jobs.drain()
    await t.stop()

    const spans = collector.spans()
    expect(new Set(collector.heads)).toEqual(new Set(['/v1/traces a b']))
    const facts = collector.resources()[0]?.resource.attributes ?? []
    expect(facts).toContainEqual({ key: 'service.name', value: { stringValue: 'share' } })
    const named = (name: string) => spans.filter((span) => span.name === name)
    const create = spans.find(({ parentSpanId }) => parentSpanId === PROXY_SPAN)
    expect(create).toMatchObject({ name: 'POST /api/paste', parentSpanId: PROXY_SPAN, kind: 2 })
    expect([of(create, 'http.route'), of(create, 'http.response.status_code')]).toEqual(['/api/paste', 201])
    const below = spans.filter(({ parentSpanId }) => parentSpanId === create?.spanId)
    const insert = below.find(({ name }) => name === 'INSERT pastes')
    expect(of(insert, 'db.system.name')).toBe(engine === 'sqlite' ? 'sqlite' : 'postgresql')
    expect([of(insert, 'db.operation.name'), of(insert, 'db.collection.name')]).toEqual(['INSERT', 'pastes'])
    expect(new Set(below.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
    expect(BigInt(insert?.endTimeUnixNano ?? 0) <= BigInt(create?.endTimeUnixNano ?? 0) + 2_000_000n).toBe(
      true,
    )

    const raw = named('GET /api/raw/:slug')[0]
    const views = spans.filter(({ parentSpanId }) => parentSpanId === raw?.spanId).map(({ name }) => name)
    expect(views).toContain('UPDATE pastes')
    const upload = spans.find(({ name }) => /^(?:PUT|POST) \/api\/upload/.test(name))
    const write = named('storage.write')[0]
    expect(write?.parentSpanId).toBe(upload?.spanId)
    expect(of(write, 'dropleaf.storage.provider')).toBe('Local disk')
    expect(named('GET /api/paste/:slug').map((span) => of(span, 'http.response.status_code'))).toEqual([404])
    expect(named('GET other').length).toBe(1)
    const jobs = spans.filter(({ name }) => name.startsWith('job '))
    expect(jobs.length).toBeGreaterThan(3)
    expect(jobs.filter(({ parentSpanId }) => parentSpanId)).toEqual([])
    const all = collector.text()
    const secrets = [content, 'sesame', 'telling', ADMIN_PASSWORD, 'the bytes of', made.body.id]
    for (const secret of [...secrets, t.admin.authorization?.slice(7) ?? '', t.dataDir])
      expect(all).not.toContain(secret)
  })

  test('an untrusted client cannot start a trace, and an unavailable collector delays nothing', async () => {
    await using collector = await startCollector()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    }
    await using t = await startApp({ env })
    const headers = { traceparent: `00-${TRACE}-${PROXY_SPAN}-01` }
    const remoteAddress = '203.0.113.9'
    await t.app.inject({ method: 'GET', url: '/api/health', headers, remoteAddress })
    await t.app.inject({ method: 'GET', url: '/api/version', headers })
    await t.stop()
    expect(collector.spans().map(({ name }) => name)).toContain('GET /api/version')
    expect(collector.spans().map(({ name }) => name)).not.toContain('GET /api/health')

    await using lost = await startApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } })
    expect((await lost.visitor.call('GET', '/api/health')).status).toBe(200)
    await using off = await startApp({ env: { ...env, OTEL_SDK_DISABLED: 'true' } })
    expect([off.ctx.tracing, (await startOff()).ctx.tracing]).toEqual([null, null])
    async function startOff() {
      await using plain = await startApp()
      return plain
    }
  })
})
