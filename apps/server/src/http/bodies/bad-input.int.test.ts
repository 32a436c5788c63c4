import { type RouteSpec, storageConfigRoutes } from '@dropleaf/contract'
import { describe, expect, test } from 'vitest'
import { eachOf } from '../../lib/concurrency.ts'
import { describeOneDatabase, type TestAnswer, type TestApp, type TestClient } from '../../testing/app.ts'
import {
  allRoutes,
  fieldsOf,
  HOSTILE_SEGMENTS,
  HOSTILE_VALUES,
  pathWith,
} from '../../testing/contract-routes.ts'

/** Maximum number of faults that a failed test lists. */
const MAX_SHOWN = 10
/** Time limit for thousands of short calls. */
const WALK_TIMEOUT_MS = 300_000
const JSON_TYPE = { 'content-type': 'application/json' }
const nameOf = (spec: RouteSpec) => `${spec.method} ${spec.path}`
/** Matches routes that accept bodies larger than 1 MB. */
const TAKES_MORE = /\/pastes?\b|\/fs\/(?:update|multipart\/complete)$|\/bundles(?:\/:id\/revisions)?$/
const isPlain = (spec: RouteSpec) => spec.replyType?.startsWith('text/plain') ?? false

/** Returns why a response to bad input is wrong, or `null`. */
function findFault(spec: RouteSpec, answer: TestAnswer): string | null {
  if (answer.status >= 500) return `${answer.status} ${answer.text.slice(0, 200)}`
  if (answer.status < 400) return null
  if (isPlain(spec) && answer.headers['content-type']?.startsWith('text/plain')) return null
  const { body } = answer
  const isEnvelope =
    body?.code === answer.status &&
    body.success === false &&
    body.data === null &&
    typeof body.message === 'string' &&
    typeof body.error?.code === 'string' &&
    typeof body.error.requestId === 'string'
  if (!isEnvelope) return `${answer.status} without envelope: ${answer.text.slice(0, 200)}`
  return answer.headers['cache-control'] === 'private, no-store' ? null : `${answer.status} without no-store`
}

/** Collects faults, so that one run reports all of them. */
function createJudge() {
  const faults: string[] = []
  return {
    faults,
    judge: (spec: RouteSpec, answer: TestAnswer, what: string): void => {
      const fault = findFault(spec, answer)
      if (fault !== null) faults.push(`${nameOf(spec)} with ${what.slice(0, 80)}: ${fault}`)
    },
  }
}

/** Runs several calls at once, because a call mostly waits for PostgreSQL. */
const together = <Value>(values: readonly Value[], call: (value: Value) => Promise<void>) =>
  eachOf(values, 8, call)

async function createClients(t: TestApp) {
  const permissions = { text_permission: true, file_permission: true, mount_permission: true }
  return {
    visitor: t.visitor,
    bare: await t.keyClient({}),
    full: await t.keyClient(permissions),
    admin: t.admin,
  }
}

/**
 * Returns every second value for a field, so that two neighbouring fields cover all values. With `EVERY_PAIR=1`, each
 * field gets all values.
 */
const valuesAt = (place: number) =>
  HOSTILE_VALUES.filter((_, index) => process.env.EVERY_PAIR === '1' || (index + place) % 2 === 0)

const needsBody = (spec: RouteSpec) => spec.body !== undefined

// Runs on PostgreSQL, which refuses more than SQLite: text with NUL characters, and numbers of more than 64 bits.
describeOneDatabase('postgres', 'bad input', ({ startApp }) => {
  test('a body that is not JSON, or not an object, never ends in a server error', async () => {
    await using t = await startApp()
    const { faults, judge } = createJudge()
    const clients = await createClients(t)
    const bodies = [
      '{',
      'null',
      '[]',
      '7',
      '"x"',
      'true',
      '{"a":',
      '\u0000',
      '{"__proto__":{"x":1}}',
      '{"constructor":{"prototype":{}}}',
    ]
    for (const spec of allRoutes.filter(needsBody)) {
      for (const client of [clients.admin, clients.full, clients.visitor]) {
        await together(bodies, async (payload) => {
          const answer = await client.call(spec.method, pathWith(spec, 'unknown'), {
            payload,
            headers: JSON_TYPE,
          })
          judge(spec, answer, payload)
        })
      }
    }
    expect(faults.slice(0, MAX_SHOWN)).toEqual([])
  })

  test(
    'a hostile value in any field of any body never ends in a server error',
    async () => {
      await using t = await startApp()
      const { faults, judge } = createJudge()
      for (const spec of allRoutes.filter(needsBody)) {
        const fields = fieldsOf(spec.body)
        for (const [place, field] of [...fields, '__proto__', 'extra'].entries()) {
          await together(valuesAt(place), async (value) => {
            const body = { ...validBodyOf(spec), [field]: value }
            const payload = JSON.stringify(body).replaceAll('"extra"', '"\\u005f_proto__"')
            const answer = await t.admin.call(spec.method, pathWith(spec, 'unknown'), {
              payload,
              headers: JSON_TYPE,
            })
            judge(spec, answer, `${field} = ${JSON.stringify(value)}`)
          })
        }
      }
      expect(faults.slice(0, MAX_SHOWN)).toEqual([])
    },
    WALK_TIMEOUT_MS,
  )

  test(
    'a hostile value in a body for an existing object never ends in a server error',
    async () => {
      await using t = await startApp()
      const { faults, judge } = createJudge()
      const { full } = await createClients(t)
      const updates = allRoutes.filter(
        (spec) => spec.method === 'PUT' && needsBody(spec) && spec.path.includes(':id'),
      )
      expect(updates.length).toBeGreaterThan(3)
      for (const spec of updates) {
        const id = await createTarget(t, full, spec)
        for (const field of fieldsOf(spec.body)) {
          await together(HOSTILE_VALUES, async (value) => {
            const body = { ...validBodyOf(spec), [field]: value }
            const answer = await t.admin.call(spec.method, pathWith(spec, id), { body })
            judge(spec, answer, `${field} = ${JSON.stringify(value)}`)
          })
        }
      }
      expect(faults.slice(0, MAX_SHOWN)).toEqual([])
    },
    WALK_TIMEOUT_MS,
  )

  test('a body above its limit is refused with 413', async () => {
    await using t = await startApp()
    const payload = JSON.stringify({ name: 'a'.repeat(1024 * 1024) })
    const { faults, judge } = createJudge()
    for (const spec of allRoutes.filter(needsBody)) {
      const answer = await t.admin.call(spec.method, pathWith(spec, 'unknown'), {
        payload,
        headers: JSON_TYPE,
      })
      judge(spec, answer, '1 MB')
      if (!TAKES_MORE.test(spec.path)) {
        expect([nameOf(spec), answer.status]).toEqual([nameOf(spec), 413])
      }
    }
    expect(faults.slice(0, MAX_SHOWN)).toEqual([])
  })

  const asQuery = (value: unknown) => encodeURIComponent((JSON.stringify(value) ?? '').toWellFormed())
  test('a hostile query never ends in a server error', { timeout: WALK_TIMEOUT_MS }, async () => {
    await using t = await startApp()
    const { faults, judge } = createJudge()
    for (const spec of allRoutes.filter((one) => one.query !== undefined)) {
      for (const [place, field] of fieldsOf(spec.query).entries()) {
        const broken = ['%', '%zz', '%ff', '%ED%A0%80', 'a&' + field + '=b', 'x'.repeat(70_000)]
        await together([...valuesAt(place).map(asQuery), ...broken], async (value) => {
          const url = `${pathWith(spec, 'unknown')}?${encodeURIComponent(field)}=${value}`
          judge(spec, await t.admin.call(spec.method, url), `${field} = ${value}`)
        })
      }
      judge(
        spec,
        await t.admin.call(spec.method, `${pathWith(spec, 'unknown')}?__proto__=1&a[b]=2&%00=1`),
        'odd names',
      )
    }
    expect(faults.slice(0, MAX_SHOWN)).toEqual([])
  })

  test('a hostile parameter in a path never ends in a server error', async () => {
    await using t = await startApp()
    const { faults, judge } = createJudge()
    for (const spec of allRoutes.filter((one) => one.params !== undefined)) {
      for (const segment of HOSTILE_SEGMENTS) {
        const body = needsBody(spec) ? { body: validBodyOf(spec) } : {}
        const answer = await t.admin.call(spec.method, pathWith(spec, segment), body)
        judge(spec, answer, segment)
        const mayAnswer = /^\/(?:api\/upload-direct\/)?:filename$/.test(spec.path)
        if (!mayAnswer && answer.status < 400)
          faults.push(`${nameOf(spec)} with ${segment.slice(0, 40)}: ${answer.status}`)
      }
    }
    expect(faults.slice(0, MAX_SHOWN)).toEqual([])
  })

  test('a body of an unknown or malformed content type is refused with 415 if JSON is expected', async () => {
    await using t = await startApp()
    const { faults, judge } = createJudge()
    for (const spec of allRoutes.filter(needsBody)) {
      for (const type of [
        'text/plain',
        'application/xml',
        'multipart/form-data',
        'nonsense',
        'application/jsonx',
      ]) {
        const answer = await t.admin.call(spec.method, pathWith(spec, 'unknown'), {
          payload: '{}',
          headers: { 'content-type': type },
        })
        judge(spec, answer, type)
        expect([nameOf(spec), type, answer.status]).toEqual([nameOf(spec), type, 415])
      }
    }
    expect(faults.slice(0, MAX_SHOWN)).toEqual([])
  })

  test('a broken form is refused', async () => {
    await using t = await startApp()
    const spec = allRoutes.find((one) => one.path === '/api/upload')
    if (!spec) throw new Error('The contract has no form upload.')
    const { faults, judge } = createJudge()
    const bodies: ReadonlyArray<readonly [type: string, payload: string]> = [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=', 'x'],
      ['multipart/form-data; boundary=b', ''],
      ['multipart/form-data; boundary=b', '--b'],
      ['multipart/form-data; boundary=b', '--b\r\n\r\n--b--'],
      [
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ncut off',
      ],
      [
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n',
      ],
      [
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\nx\r\n--b--\r\n',
      ],
      [
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n--b--\r\n',
      ],
      ['text/plain', 'x'],
    ]
    for (const [type, payload] of bodies) {
      const answer = await t.admin.call('POST', '/api/upload', { payload, headers: { 'content-type': type } })
      judge(spec, answer, payload)
      if (answer.status < 400) faults.push(`${payload}: ${answer.status}`)
    }
    expect(faults.slice(0, MAX_SHOWN)).toEqual([])
    expect((await t.admin.call('GET', '/api/admin/files')).body.data.files).toEqual([])
  })
})

describe('the contract', () => {
  test('has the routes that these suites test', () => {
    expect(allRoutes.length).toBeGreaterThan(45)
  })
})

/** Returns a valid body, so that one hostile field is its only fault. */
function validBodyOf(spec: RouteSpec): Record<string, unknown> {
  const known: Record<string, unknown> = {
    content: 'text',
    name: 'name',
    username: 'nobody',
    password: 'guess',
    currentPassword: 'not the password',
    newPassword: 'another password',
    s3_config_id: 'unknown',
    filename: 'a.txt',
    file_id: 'unknown',
    ids: ['unknown'],
    path: '/local/bad-input.txt',
    provider_type: 'AWS S3',
    endpoint_url: 'https://s3.example.com',
    bucket_name: 'bucket',
    access_key_id: 'key',
    secret_access_key: 'secret',
    storage_type: 'S3',
    storage_config_id: 'unknown',
    mount_path: '/somewhere',
  }
  const fields = fieldsOf(spec.body)
  return Object.fromEntries(Object.entries(known).filter(([field]) => fields.includes(field)))
}

/** Creates a resource for an update route to change, and returns its id. */
async function createTarget(t: TestApp, full: TestClient, spec: RouteSpec): Promise<string> {
  if (spec.path.includes('api-keys')) return (await t.keyClient({})).id
  if (spec.path.includes('mounts')) return (await t.admin.call('GET', '/api/admin/mounts')).body.data[0].id
  if (spec.path.includes('s3-configs')) {
    const body = { ...validBodyOf(storageConfigRoutes.create), bucket_name: 'target' }
    return (await t.admin.call('POST', '/api/s3-configs', { body })).body.data.id
  }
  if (spec.path.includes('pastes'))
    return (await full.call('POST', '/api/paste', { body: { content: 'x' } })).body.id
  return (await full.call('PUT', '/api/upload-direct/a.txt', { payload: 'x' })).body.data.id
}
