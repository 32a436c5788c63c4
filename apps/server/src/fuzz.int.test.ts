import { isGuarded } from '@dropleaf/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CALLERS, type Caller } from './http/access-docs.ts'
import type { DeclaredRoute } from './http/access.ts'
import {
  ADMIN_PASSWORD,
  describeOneDatabase,
  type TestApp,
  type TestCall,
  type TestClient,
} from './testing/app.ts'
import { allRoutes, fieldsOf, HOSTILE_SEGMENTS, HOSTILE_VALUES } from './testing/contract-routes.ts'
import { filesOnDisk, form, share, uploadForm } from './testing/files.ts'
import { FUZZ_TIMEOUT_MS, fuzzing } from './testing/fuzzing.ts'
import { download, putFile } from './testing/fs.ts'
import { createCallers, expectedVerdict, nameOfRoute, verdictOf } from './testing/permissions.ts'

const SECRET = 'UNDISCLOSED-CONTENT'
/** Far longer than a path or a word has to be; the walk through bad input has these. */
const SEGMENTS = HOSTILE_SEGMENTS.filter((segment) => segment.length < 300)

/** What is stored sealed. */
const SEALED = /"v1\.[\w-]{30,}/

interface World {
  readonly callers: Record<Caller, readonly TestClient[]>
  /** Words that lead to what only its owner may have. */
  readonly leads: readonly string[]
  readonly secrets: readonly string[]
  isIntact(): Promise<boolean>
}

/** What is secret, and everybody who must not get at it. */
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
  return {
    callers: await createCallers(t, { basic_path: '/local/in' }),
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

/** What the administrator may do to all shares is no fault. */
const isSweeping = ({ url }: DeclaredRoute) =>
  /delete-matching|logout|change-password|backup\/import/.test(url)

function inputFor(
  { method, url }: DeclaredRoute,
  words: readonly string[],
): fc.Arbitrary<{ url: string; call: TestCall }> {
  const spec = allRoutes.find((one) => one.method === method && one.path === url)
  const segment = fc.oneof(fc.constantFrom(...SEGMENTS), fc.constantFrom(...words.map(encodeURIComponent)))
  const value = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...words) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    { weight: 1, arbitrary: fc.constantFrom(...words).map((word) => [word]) },
  )
  const fields = (schema: unknown) =>
    fc.record(Object.fromEntries(fieldsOf(schema).map((name) => [name, value])), { requiredKeys: [] })
  const query = fields(spec?.query).map((all) =>
    Object.entries(all)
      .map(([name, one]) => `${name}=${encodeURIComponent(textOf(one).toWellFormed())}`)
      .join('&'),
  )
  const body =
    spec?.body === undefined
      ? fc.constant<TestCall>({})
      : fields(spec.body).map((all): TestCall => ({
          payload: JSON.stringify(all),
          headers: { 'content-type': 'application/json' },
        }))
  const headers = fc.record(
    {
      range: fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=5-2', 'bytes=0-0,2-3', 'lines=1'),
      depth: fc.constantFrom('0', '1', 'infinity', 'x'),
      destination: fc.constantFrom(...words),
      'if-none-match': fc.constantFrom('*', '"x"'),
      'idempotency-key': fc.constantFrom('a', 'b'),
      'accept-language': fc.constantFrom('zh', 'en', 'x;q=0.%'),
    },
    { requiredKeys: [] },
  )
  const places = fc.array(segment, { minLength: 4, maxLength: 4 })
  return fc.tuple(places, query, body, headers).map(([all, search, call, extra]) => {
    let place = 0
    const next = () => all[place++ % all.length] ?? 'x'
    const path = url.replaceAll(/:\w+/g, next).replace(/\*$/, next)
    return { url: `${path}?${search}`, call: { ...call, headers: { ...extra, ...call.headers } } }
  })
}

describeOneDatabase('sqlite', 'fuzzing', ({ startApp }) => {
  test(
    'every route with every caller: no server error, nobody let in whom it does not name, and no secret told',
    async () => {
      await using t = await startApp({ resolve: () => Promise.reject(new Error('There is no such host.')) })
      const world = await createWorld(t)
      const routes = t.app.declaredAccess
      const harmless = ['unknown', '/local/in/own.txt', '/local/in', 'own.txt']
      const asked = fc
        .tuple(fc.constantFrom(...routes), fc.constantFrom(...CALLERS))
        .filter(([route, caller]) => caller !== 'administrator' || !isSweeping(route))
        .chain(([route, caller]) =>
          // The administrator may have everything; what is looked for there is what fails.
          inputFor(route, caller === 'administrator' ? harmless : [...harmless, ...world.leads]).map(
            (input) => ({
              route,
              caller,
              ...input,
            }),
          ),
        )
      await fc.assert(
        fc.asyncProperty(asked, async ({ route, caller, url, call }) => {
          const [client] = world.callers[caller]
          if (!client) throw new Error(`There is no ${caller}.`)
          const answer = await client.call(route.method, url, call)
          const what = `${nameOfRoute(route)} for ${caller}: ${answer.status} ${answer.text.slice(0, 300)}`
          const mayFail = answer.status === 502 && /^\/(?:dav|api\/url)/.test(route.url)
          expect([what, answer.status < 500 || mayFail]).toEqual([what, true])
          // An address that no route has is nobody's, and a HEAD does not say what is refused.
          const isPlain =
            ![400, 404].includes(answer.status) && (route.method !== 'HEAD' || answer.status !== 403)
          if (isGuarded(route.access) && isPlain)
            expect([what, verdictOf(route, answer)]).toEqual([what, expectedVerdict(route, caller)])
          if (caller === 'administrator') return
          const told = world.secrets.filter((secret) => answer.text.includes(secret))
          expect([what, told, SEALED.test(answer.text)]).toEqual([what, [], false])
        }),
        fuzzing(1200),
      )
      await t.ctx.tasks.drain()
      expect(await world.isIntact()).toBe(true)
    },
    FUZZ_TIMEOUT_MS,
  )

  test(
    'a form of which anything is missing, doubled or changed is taken whole or leaves nothing',
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
