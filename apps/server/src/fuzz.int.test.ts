import { Agent, request as httpRequest } from 'node:http'
import { isGuarded } from '@dropleaf/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CALLERS, type Caller, LETS_IN } from './http/docs/access-docs.ts'
import type { DeclaredRoute } from './http/core/access.ts'
import {
  ADMIN_PASSWORD,
  describeOneDatabase,
  type TestAnswer,
  type TestApp,
  type TestCall,
  type TestClient,
} from './testing/app.ts'
import { allRoutes, fieldsOf, HOSTILE_SEGMENTS, HOSTILE_VALUES } from './testing/contract-routes.ts'
import { listen } from './testing/drive.ts'
import { filesOnDisk, form, share, uploadForm } from './testing/files.ts'
import { FUZZ_TIMEOUT_MS, fuzzing } from './testing/fuzzing.ts'
import { download, putFile } from './testing/fs.ts'
import { type JsonSchema, valuesOf } from './testing/schema-values.ts'
import { createCallers, expectedVerdict, nameOfRoute, verdictOf } from './testing/permissions.ts'

const SECRET = 'UNDISCLOSED-CONTENT'
/** Excludes very long segments, which the tests of bad input cover. */
const SEGMENTS = HOSTILE_SEGMENTS.filter((segment) => segment.length < 300)

/** Matches encrypted values, which responses must never contain. */
const SEALED = /"v1\.[\w-]{30,}/

/** Request bodies for the network drive. */
const XML = [
  '<D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind>',
  '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x>1</x></D:prop></D:set></D:propertyupdate>',
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>',
  '<broken',
]

interface World {
  readonly callers: Record<Caller, readonly TestClient[]>
  /** Identifiers of protected resources, which only their owner is allowed to access. */
  readonly leads: readonly string[]
  /** Identifiers of resources that every caller is allowed to change. */
  readonly harmless: readonly string[]
  readonly secrets: readonly string[]
  isIntact(): Promise<boolean>
}

/** Creates one resource of each kind for the fuzzer to modify. */
async function createSpares(t: TestApp): Promise<string[]> {
  const config = await t.admin.call('POST', '/api/s3-configs', {
    body: { name: 'Spare', provider_type: 'Local disk', bucket_name: 'spare', is_public: true },
  })
  const { id } = config.body.data
  const mount = await t.admin.call('POST', '/api/admin/mounts', {
    body: { name: 'Spare', storage_type: 'S3', storage_config_id: id, mount_path: '/spare' },
  })
  const paste = await t.admin.call('POST', '/api/paste', { body: { content: 'spare' } })
  const file = await share(t.admin, 'spare.docx')
  const upload = await t.admin.call('POST', '/api/fs/multipart/init', {
    body: { path: '/spare/', fileName: 'parts.bin', fileSize: 8 },
  })
  const presigned = await t.admin.call('POST', '/api/s3/presign', {
    body: { s3_config_id: id, filename: 'a.txt' },
  })
  const task = await t.admin.call('POST', '/api/url/import', { body: { url: 'http://nowhere.test/x' } })
  return [
    id,
    mount.body.data.id,
    paste.body.slug,
    paste.body.id,
    file.slug,
    file.id,
    upload.body.data.uploadId,
    presigned.body.data.file_id,
    task.body.data.task.id,
    (await t.keyClient({})).id,
  ]
}

/** Creates the secrets, and the callers that must not get them. */
async function createWorld(t: TestApp): Promise<World> {
  const text = await t.admin.call('POST', '/api/paste', {
    body: { content: SECRET, password: 'share-password' },
  })
  const file = await share(t.admin, 'secret.txt', { bytes: SECRET, query: { password: 'share-password' } })
  await putFile(t.admin, '/local/in/own.txt', 'own')
  await putFile(t.admin, '/local/secret.txt', SECRET)
  const owner = await t.keyClient({ text_permission: true, file_permission: true, mount_permission: true })
  const own = await owner.call('POST', '/api/paste', {
    body: { content: SECRET, slug: 'of-another-key', password: 'x' },
  })
  const spare = await createSpares(t)
  return {
    callers: await createCallers(t, { basic_path: '/local/in' }),
    harmless: ['unknown', '/local/in/own.txt', '/local/in', '/local/in/new', '/spare/', 'own.txt', ...spare],
    leads: [
      text.body.id,
      text.body.slug,
      file.id,
      file.slug,
      own.body.id,
      'of-another-key',
      owner.id,
      '/local/secret.txt',
      '/local/in/../secret.txt',
      '/local/in/%2e%2e/secret.txt',
      'secret.txt',
      '/local',
    ],
    secrets: [SECRET, ADMIN_PASSWORD, owner.key, 'share-password', '$argon2'],
    async isIntact() {
      const paste = await t.admin.call('GET', `/api/admin/pastes/${text.body.id}`)
      const bytes = await t.visitor.call('GET', `/api/file-download/${file.slug}`, {
        query: { password: 'share-password' },
      })
      const inMount = await download(t.admin, '/local/secret.txt')
      return paste.body.data?.content === SECRET && bytes.text === SECRET && inMount.text === SECRET
    },
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/**
 * Whether a route ends sessions, deletes many shares at once, or imports a backup. The fuzzer does not call these
 * routes as the administrator, who is allowed to use them.
 */
const isSweeping = ({ url }: DeclaredRoute) =>
  /delete-matching|logout|end-others|change-password|backup\/import/.test(url)

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Operation {
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly schema: JsonSchema
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

/** Returns the operation of a route in the OpenAPI document. */
function operationOf({ paths }: Described, { method, url }: DeclaredRoute): Operation | undefined {
  const path = url.replace(/\*$/, '{key}').replaceAll(/:(\w+)/g, '{$1}')
  return paths[path]?.[method.toLowerCase()] as Operation | undefined
}

const bodySchemaOf = (described: Described, route: DeclaredRoute) =>
  operationOf(described, route)?.requestBody?.content['application/json']?.schema

/** Generates query parameters that match the documented schema. */
function fittingQuery(described: Described, route: DeclaredRoute, words: readonly string[]) {
  const parameters = operationOf(described, route)?.parameters.filter((one) => one.in === 'query') ?? []
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  return valuesOf({ type: 'object', properties, required: ['path'] }, words) as fc.Arbitrary<object>
}

const sent = (payload: string, type: string): TestCall => ({ payload, headers: { 'content-type': type } })

function bodyFor(
  route: DeclaredRoute,
  described: Described,
  words: readonly string[],
  hostile: fc.Arbitrary<object>,
) {
  const schema = bodySchemaOf(described, route)
  if (schema) {
    const fit = valuesOf(schema, words)
    return fc
      .oneof({ weight: 2, arbitrary: fit }, hostile)
      .map((all) => sent(JSON.stringify(all), 'application/json'))
  }
  if (route.url.startsWith('/dav'))
    return fc.constantFrom(...XML, '', 'bytes').map((text) => sent(text, 'application/xml'))
  if (route.method === 'PUT') return fc.constant(sent('bytes', 'application/octet-stream'))
  return fc.constant<TestCall>({})
}

function inputFor(
  route: DeclaredRoute,
  described: Described,
  words: readonly string[],
): fc.Arbitrary<{ url: string; call: TestCall }> {
  const { method, url } = route
  const spec = allRoutes.find((one) => one.method === method && one.path === url)
  const segment = fc.oneof(fc.constantFrom(...SEGMENTS), {
    weight: 4,
    arbitrary: fc.constantFrom(...words.map(encodeURIComponent)),
  })
  const value = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...words) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    { weight: 1, arbitrary: fc.constantFrom(...words).map((word) => [word]) },
  )
  const fields = (schema: unknown) =>
    fc.record(Object.fromEntries(fieldsOf(schema).map((name) => [name, value])), { requiredKeys: [] })
  const query = fc
    .oneof({ weight: 3, arbitrary: fittingQuery(described, route, words) }, fields(spec?.query))
    .map((all) =>
      Object.entries(all)
        .map(([name, one]) => `${name}=${encodeURIComponent(textOf(one).toWellFormed())}`)
        .join('&'),
    )
  const body = bodyFor(route, described, words, fields(spec?.body))
  const headers = fc.record(
    {
      range: fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=5-2', 'bytes=0-0,2-3', 'lines=1'),
      depth: fc.constantFrom('0', '1', 'infinity', 'x'),
      destination: fc.constantFrom(...words.map((word) => `/dav${encodeURI(word)}`)),
      'if-none-match': fc.constantFrom('*', '"x"'),
      'idempotency-key': fc.oneof(
        fc.constantFrom('a', 'first-key-of-many', 'second-key-of-many'),
        fc.stringMatching(/^[\w-]{16,24}$/),
      ),
      overwrite: fc.constantFrom('T', 'F', 'x'),
      'accept-language': fc.constantFrom('zh', 'en', 'x;q=0.%'),
    },
    { requiredKeys: [] },
  )
  const places = fc.array(segment, { minLength: 4, maxLength: 4 })
  return fc.tuple(places, query, body, headers).map(([all, search, call, extra]) => {
    let place = 0
    const next = () => all[place++ % all.length] ?? 'x'
    const tail = () => next().replaceAll('%2F', '/').replace(/^\//, '')
    const path = url.replaceAll(/:\w+/g, next).replace(/\*$/, tail)
    return { url: `${path}?${search}`, call: { ...call, headers: { ...extra, ...call.headers } } }
  })
}

const agent = new Agent({ keepAlive: true })

/** Uses a real connection, because an injected request has no timeout that COPY and MOVE could turn off. */
async function callOverLine(
  t: TestApp,
  { authorization }: TestClient,
  { method, path, call }: { method: string; path: string; call: TestCall },
): Promise<Pick<TestAnswer, 'status' | 'text'>> {
  const { port } = new URL(await listen(t))
  const headers = { ...(authorization === null ? {} : { authorization }), ...call.headers }
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
    })
    asked.on('error', reject)
    asked.end(call.payload)
  })
}

const OVER_LINE = new Set(['COPY', 'MOVE'])
/**
 * Number of requests per server. After these requests a new server starts, because existing data is used up and limits
 * are reached.
 */
const REQUESTS_PER_WORLD = 2000

describeOneDatabase('sqlite', 'fuzzing', ({ startApp }) => {
  test(
    'every route with every caller: no server error, no access without permission, and no secret in a response',
    async () => {
      const { numRuns, seed } = fuzzing(800)
      const counts = new Map<string, number>()
      for (let done = 0; done < numRuns; done += REQUESTS_PER_WORLD) {
        const few = { numRuns: Math.min(REQUESTS_PER_WORLD, numRuns - done), seed: seed + done }
        const isIntact = await fuzzWorld(few, (what) => counts.set(what, (counts.get(what) ?? 0) + 1))
        expect(isIntact).toBe(true)
      }
      if (process.env.FUZZ_RUNS === undefined) return
      const told = [...counts].toSorted().map(([what, count]) => `${what}: ${count}`)
      process.stderr.write(`requests: ${numRuns}\n${told.join('\n')}\n`)
    },
    FUZZ_TIMEOUT_MS,
  )

  async function fuzzWorld(
    runs: { numRuns: number; seed: number },
    count: (what: string) => void,
  ): Promise<boolean> {
    await using t = await startApp({ resolve: () => Promise.reject(new Error('There is no such host.')) })
    const world = await createWorld(t)
    const routes = t.app.declaredAccess
    const described = (await t.visitor.call('GET', '/api/openapi.json')).body as Described
    const asked = fc
      .constantFrom(...routes)
      .chain((route) =>
        fc.tuple(
          fc.constant(route),
          fc.oneof(fc.constantFrom(...CALLERS), fc.constantFrom(...LETS_IN[route.access])),
        ),
      )
      .filter(([route, caller]) => caller !== 'administrator' || !isSweeping(route))
      .chain(([route, caller]) =>
        // The administrator is allowed to access everything, so these requests only look for server errors.
        inputFor(
          route,
          described,
          caller === 'administrator' ? world.harmless : [...world.harmless, ...world.leads],
        ).map((input) => ({
          route,
          caller,
          ...input,
        })),
      )
    await fc.assert(
      fc.asyncProperty(asked, async ({ route, caller, url, call }) => {
        const [client] = world.callers[caller]
        if (!client) throw new Error(`There is no ${caller}.`)
        const { method } = route
        const answer = await (OVER_LINE.has(method)
          ? callOverLine(t, client, { method, path: url, call })
          : client.call(method, url, call))
        const what = `${nameOfRoute(route)} for ${caller}: ${answer.status} ${answer.text.slice(0, 300)}`
        const mayFail = answer.status === 502 && /^\/(?:dav|api\/url)/.test(route.url)
        count(`${caller} ${Math.floor(answer.status / 100)}xx`)
        if (answer.status >= 500) count(`${answer.status} of ${nameOfRoute(route)}`)
        expect([what, answer.status < 500 || mayFail]).toEqual([what, true])
        // Some routes require another permission once they have read the request, and some URLs match no route.
        const expected = expectedVerdict(route, caller)
        if (isGuarded(route.access) && expected !== 'in' && ![400, 404].includes(answer.status))
          expect([what, verdictOf(route, answer)]).toEqual([what, expected])
        if (caller === 'administrator') return
        const told = world.secrets.filter((secret) => answer.text.includes(secret))
        expect([what, told, SEALED.test(answer.text)]).toEqual([what, [], false])
      }),
      runs,
    )
    await t.ctx.tasks.drain()
    return await world.isIntact()
  }

  test(
    'a form with missing, doubled or changed bytes is accepted completely or stores nothing',
    async () => {
      await using t = await startApp()
      const whole = form([
        { name: 'slug', value: '' },
        { name: 'file', value: 'bytes of a file', filename: 'a.txt', type: 'text/plain' },
        { name: 'remark', value: 'r' },
      ])
      const bytes = whole.payload as Buffer
      const place = fc.nat(bytes.length)
      const edit = fc.tuple(
        place,
        place,
        fc.constantFrom('cut', 'double', 'insert', 'end'),
        fc.uint8Array({ maxLength: 8 }),
      )
      let stored = 0
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { maxLength: 3 }), async (edits) => {
          let payload = bytes
          for (const [a, b, kind, extra] of edits) {
            const [from, to] = a < b ? [a, b] : [b, a]
            const middle =
              kind === 'cut'
                ? []
                : kind === 'double'
                  ? [payload.subarray(from, to), payload.subarray(from, to)]
                  : [extra, payload.subarray(from, to)]
            payload =
              kind === 'end'
                ? payload.subarray(0, from)
                : Buffer.concat([payload.subarray(0, from), ...middle, payload.subarray(to)])
          }
          const answer = await t.admin.call('POST', '/api/upload', { ...whole, payload })
          const what = `${answer.status} ${payload.toString('latin1')}`
          expect([what, answer.status < 500]).toEqual([what, true])
          if (answer.status === 201) stored += 1
        }),
        fuzzing(150),
      )
      expect((await uploadForm(t.admin, [{ name: 'file', value: 'x', filename: 'x' }])).status).toBe(201)
      expect(await filesOnDisk(t)).toHaveLength(stored + 1)
    },
    FUZZ_TIMEOUT_MS,
  )
})
