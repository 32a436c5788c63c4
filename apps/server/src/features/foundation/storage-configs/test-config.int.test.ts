import { rm } from 'node:fs/promises'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { inject, expect, test } from 'vitest'
import { describeOneDatabase, type TestApp } from '../../../testing/app.ts'
import { refuse, startFaultProxy } from '../../../testing/fault-proxy.ts'
import { localDiskId } from '../../../testing/files.ts'
import { addS3Mount, type S3Mount } from '../../../testing/storages.ts'

const ORIGIN = 'https://page.test'
const PLAIN_ORIGIN = 'http://page.test'
const gateway = inject('s3Gateway')
const endpoint = gateway?.endpointUrl ?? ''

interface Finding {
  code: string
  severity: string
  message: string
  steps: string[]
  fixable: boolean
  fixed?: boolean
}

async function run(t: TestApp, id: string, { fix = false, language = 'en' } = {}) {
  const answer = await t.admin.call('POST', `/api/s3-configs/${id}/test`, {
    ...(fix ? { body: { fix } } : {}),
    headers: { origin: PLAIN_ORIGIN, 'accept-language': language },
  })
  expect([answer.status, answer.body.code, answer.body.success]).toEqual([200, 200, true])
  const { data } = answer.body
  const findings: Finding[] = data.result.doctor.findings
  return {
    ...data,
    findings,
    codes: findings.map(({ code }) => code),
    find: (code: string) => findings.find((one) => one.code === code),
  }
}

const change = async (t: TestApp, s3: S3Mount, body: object) => {
  const answer = await t.admin.call('PUT', `/api/s3-configs/${s3.configId}`, { body })
  if (answer.status !== 200) throw new Error(answer.text)
}

const policy = (s3: S3Mount, actions: string[]) => ({
  Bucket: s3.bucket.bucket,
  Policy: JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Deny',
        Principal: '*',
        Action: actions,
        Resource: [`arn:aws:s3:::${s3.bucket.bucket}`, `arn:aws:s3:::${s3.bucket.bucket}/*`],
      },
    ],
  }),
})

/** Lists everything in the bucket, including reserved names. */
const remains = async (s3: S3Mount) =>
  ((await s3.bucket.s3.listObjectsV2({ Bucket: s3.bucket.bucket })).Contents ?? []).map(({ Key }) => Key)

const corsRule = (changes: object = {}) => ({
  AllowedOrigins: ['*'],
  AllowedMethods: ['GET', 'PUT', 'HEAD'],
  AllowedHeaders: ['*'],
  ExposeHeaders: ['ETag'],
  ...changes,
})
const setCors = (s3: S3Mount, changes: object) =>
  s3.bucket.s3.putBucketCors({
    Bucket: s3.bucket.bucket,
    CORSConfiguration: { CORSRules: [corsRule(changes)] },
  })

/** Starts a TCP server that calls `onConnection` for each connection. */
async function startTcp(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Breaks the storage or its configuration while `look` runs. */
type Fault = (s3: S3Mount, t: TestApp, look: () => Promise<void>) => Promise<void>

const configured =
  (body: object): Fault =>
  async (s3, t, look) => {
    await change(t, s3, body)
    await look()
  }

const proxied =
  (
    intercept: Parameters<typeof startFaultProxy>[1],
    changeHeaders?: Parameters<typeof startFaultProxy>[2],
    body: object = {},
  ): Fault =>
  async (s3, t, look) => {
    await using proxy = await startFaultProxy(endpoint, intercept, changeHeaders)
    await change(t, s3, { endpoint_url: proxy.url, ...body })
    await look()
  }

const denied =
  (...actions: string[]): Fault =>
  async (s3, _t, look) => {
    await s3.bucket.s3.putBucketPolicy(policy(s3, actions))
    try {
      await look()
    } finally {
      await s3.bucket.s3.deleteBucketPolicy({ Bucket: s3.bucket.bucket })
    }
  }

const withCors =
  (changes: object): Fault =>
  async (s3, _t, look) => {
    await setCors(s3, changes)
    await look()
  }

const SHIFT_MS = 40 * 60_000
const shiftDate = (headers: Record<string, string | string[] | undefined>) => {
  headers.date = new Date(Date.now() + SHIFT_MS).toUTCString()
}

const FAULTS: readonly [name: string, code: string, fault: Fault][] = [
  ['an unknown access key', 'access_key_unknown', configured({ access_key_id: 'nobody' })],
  ['a wrong secret', 'secret_wrong', configured({ secret_access_key: 'wrong' })],
  ['a wrong bucket', 'bucket_missing', configured({ bucket_name: 'dropleaf-no-such-bucket' })],
  [
    'a wrong region',
    'region_wrong',
    proxied((request, response) => {
      const scope = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(request.headers.authorization ?? '')?.[1]
      if (scope === undefined || scope === 'eu-west-1') return false
      return refuse(response, {
        status: 400,
        code: 'AuthorizationHeaderMalformed',
        extra: '<Region>eu-west-1</Region>',
      })
    }),
  ],
  [
    'no CORS rules',
    'cors_missing',
    async (s3, _t, look) => {
      await s3.bucket.s3.deleteBucketCors({ Bucket: s3.bucket.bucket })
      await look()
    },
  ],
  ['CORS rules for another origin', 'cors_missing', withCors({ AllowedOrigins: ['https://other.test'] })],
  ['CORS rules without ETag', 'cors_no_etag', withCors({ ExposeHeaders: ['Content-Length'] })],
  ['CORS rules without PUT', 'cors_no_put', withCors({ AllowedMethods: ['GET', 'HEAD'] })],
  ['CORS rules without headers', 'cors_headers', withCors({ AllowedHeaders: ['x-other'] })],
  ['a key that only reads', 'read_only', denied('s3:PutObject')],
  ['a key that may not delete', 'delete_denied', denied('s3:DeleteObject')],
  ['a key that may not list', 'list_denied', denied('s3:ListBucket')],
  [
    'a key that may nothing',
    'access_denied',
    proxied((request, response) =>
      request.method === 'OPTIONS' ? false : refuse(response, { status: 403, code: 'AccessDenied' }),
    ),
  ],
  [
    'a clock that is wrong',
    'clock_skew',
    proxied((_request, response) => {
      response.setHeader('date', new Date(Date.now() + SHIFT_MS).toUTCString())
      return refuse(response, { status: 403, code: 'RequestTimeTooSkewed' })
    }),
  ],
  ['a clock that is wrong, at a storage that does not mind', 'clock_skew', proxied(() => false, shiftDate)],
  [
    'a host without an address',
    'dns_failed',
    configured({ endpoint_url: 'https://s3.no-such-host.invalid' }),
  ],
  [
    'https to a server of plain http',
    'tls_failed',
    configured({ endpoint_url: endpoint.replace('http:', 'https:') }),
  ],
  [
    'a server that never answers',
    'timeout',
    async (s3, t, look) => {
      await using silent = await startTcp(() => undefined)
      await change(t, s3, { endpoint_url: `http://127.0.0.1:${silent.port}` })
      await look()
    },
  ],
  [
    'nobody at the port',
    'unreachable',
    async (s3, t, look) => {
      const closed = await startTcp(() => undefined)
      await closed[Symbol.asyncDispose]()
      await change(t, s3, { endpoint_url: `http://127.0.0.1:${closed.port}` })
      await look()
    },
  ],
  [
    'the bucket in the host where it must be in the path',
    'style_wrong',
    configured({ endpoint_url: endpoint.replace('127.0.0.1', 'localhost'), path_style: false }),
  ],
  [
    'the bucket in the path where it must be in the host',
    'style_wrong',
    proxied((_request, response) => refuse(response, { status: 403, code: 'SecondLevelDomainForbidden' })),
  ],
  [
    'a web page in place of a storage',
    'not_s3',
    proxied((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Hello</title>')
      return true
    }),
  ],
  [
    'a web page that finds nothing',
    'not_s3',
    proxied((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html><body>Not found</body></html>')
      return true
    }),
  ],
  [
    'the bucket in the endpoint',
    'bucket_in_endpoint',
    async (s3, t, look) => {
      await change(t, s3, { endpoint_url: `${endpoint}/${s3.bucket.bucket}` })
      await look()
    },
  ],
  [
    'a quota that is reached',
    'storage_full',
    proxied((request, response) =>
      request.method === 'PUT' ? refuse(response, { status: 403, code: 'QuotaExceeded' }) : false,
    ),
  ],
  [
    'a storage that fails',
    'storage_failing',
    proxied((_request, response) => refuse(response, { status: 503, code: 'SlowDown' })),
  ],
  [
    'signed addresses that are refused',
    'signed_upload_failed',
    proxied((request, response) =>
      request.method === 'PUT' && request.url?.includes('X-Amz-Signature=')
        ? refuse(response, { status: 403, code: 'SignatureDoesNotMatch' })
        : false,
    ),
  ],
]

describeOneDatabase('sqlite', 'the connection test', ({ startApp }) => {
  const start = () => startApp({ now: new Date().toISOString() })

  test.skipIf(gateway === null)('of a storage that works [s3]', async () => {
    await using t = await start()
    await using s3 = await addS3Mount(t, { mountPath: '/s3', defaultFolder: 'in/here' })
    await s3.put('in/here/a.txt', 'hello')
    const { success, result, codes } = await run(t, s3.configId)
    expect([success, codes]).toEqual([true, ['uploads_never_aborted']])
    expect(result.read).toMatchObject({
      success: true,
      error: null,
      objectCount: 1,
      prefix: 'in/here/',
      firstObjects: [{ key: 'in/here/a.txt', size: 5 }],
    })
    expect(result.write).toMatchObject({ success: true, cleaned: true })
    expect(result.write.testFile).toMatch(/^in\/here\/\.dropleaf-test-/)
    expect(result.cors).toMatchObject({ success: true, uploadSupported: true, statusCode: 200 })
    expect(result.frontendSim).toMatchObject({
      success: true,
      steps: {
        step1: { success: true },
        step2: { success: true, statusCode: 200 },
        step3: { success: true, fileSize: 48, contentType: 'text/plain', fileCleaned: true },
      },
    })
    expect(result.frontendSim.steps.step2.etag).toMatch(/^[0-9a-f]{32}$/)
    expect(result.frontendSim.steps.step1.presignedUrl).not.toContain('Signature')
    expect(result.connectionInfo).toMatchObject({
      bucket: s3.bucket.bucket,
      endpoint,
      region: 'us-east-1',
      pathStyle: true,
      provider: 'Other',
      defaultFolder: 'in/here',
      customHost: null,
      signatureExpiresIn: 3600,
    })
    expect(Math.abs(result.doctor.clockSkewSeconds)).toBeLessThan(5)
    expect(await s3.keys()).toEqual(['in/here/a.txt'])
    expect(await remains(s3)).toEqual(['in/here/a.txt'])
    const { data } = (await t.admin.call('GET', `/api/s3-configs/${s3.configId}`)).body
    expect(data.last_used).toBe(new Date(t.clock.nowMs()).toISOString())
  })

  test.skipIf(gateway === null).each(FAULTS)('names %s: %s [s3]', async (_name, code, fault) => {
    await using t = await start()
    await using s3 = await addS3Mount(t, { mountPath: '/s3' })
    await fault(s3, t, async () => {
      const { success, result, codes, find } = await run(t, s3.configId)
      expect(codes).toContain(code)
      const others = codes.filter((other: string) => other !== code && other !== 'uploads_never_aborted')
      expect(others).toEqual([])
      const isHarmless = ['delete_denied'].includes(code)
      if (!isHarmless) expect(success).toBe(false)
      const found = find(code)
      expect(found?.message).not.toMatch(/[{}]/)
      expect(found?.message).toMatch(/\.$/)
      expect(found?.steps.length).toBeGreaterThan(0)
      expect(found?.steps.join()).not.toMatch(/\{\w+\}/)
      const errors = [result.read.error, result.write.error, result.cors.error, result.frontendSim.error]
      const lines = errors.filter((error) => error !== null).map((error: string) => error.split('\n')[0])
      if (!success) expect(lines).toContain(found?.message)
      const zh = await run(t, s3.configId, { language: 'zh-CN' })
      expect(zh.find(code)?.message).toMatch(/\p{Script=Han}.*。$/u)
      expect(zh.find(code)?.steps.join()).not.toMatch(/\{\w+\}/)
    })
    if (code !== 'delete_denied') expect(await remains(s3)).toEqual([])
  })

  test.skipIf(gateway === null)('names the right settings [s3]', async () => {
    await using t = await start()
    await using s3 = await addS3Mount(t, { mountPath: '/s3' })
    await change(t, s3, { endpoint_url: `${endpoint}/${s3.bucket.bucket}` })
    expect((await run(t, s3.configId)).find('bucket_in_endpoint')?.steps[0]).toContain(endpoint)
    await change(t, s3, { endpoint_url: endpoint.replace('127.0.0.1', 'localhost'), path_style: false })
    expect((await run(t, s3.configId)).find('style_wrong')?.message).toContain('path style on')
    for (const provider_type of ['AWS S3', 'Cloudflare R2', 'Backblaze B2', 'Aliyun OSS', 'Something']) {
      await change(t, s3, { provider_type, endpoint_url: endpoint, path_style: true, secret_access_key: 'x' })
      const { steps = [] } = (await run(t, s3.configId)).find('secret_wrong') ?? {}
      const words: Record<string, string> = { 'Aliyun OSS': 'RAM', Something: 'your provider' }
      expect(steps.join()).toContain(words[provider_type] ?? provider_type.split(' ')[0])
    }
  })

  test.skipIf(gateway === null)(
    'of Backblaze B2 omits the write and sends the headers that B2 requires [s3]',
    async () => {
      await using t = await start()
      await using s3 = await addS3Mount(t, { mountPath: '/s3' })
      const seen: string[] = []
      await using proxy = await startFaultProxy(endpoint, (request) => {
        if (request.method === 'OPTIONS') seen.push(String(request.headers['access-control-request-headers']))
        if (request.method === 'PUT' && request.url?.includes('X-Amz-Signature='))
          seen.push([request.headers['x-bz-content-sha1'], request.headers['x-requested-with']].join(' '))
        else if (request.method === 'PUT') seen.push('by the SDK')
        return false
      })
      await change(t, s3, { provider_type: 'Backblaze B2', endpoint_url: proxy.url })
      const { success, result } = await run(t, s3.configId)
      expect(success).toBe(true)
      expect(result.write).toMatchObject({ success: true, error: null })
      expect(result.write.note).toContain('Backblaze')
      expect(seen).toEqual([
        'content-type,x-bz-content-sha1,x-requested-with',
        'do_not_verify XMLHttpRequest',
      ])
    },
  )

  test.skipIf(gateway === null)('adds the missing CORS rules, and keeps the others [s3]', async () => {
    await using t = await start()
    await using s3 = await addS3Mount(t, { mountPath: '/s3' })
    const { bucket } = s3.bucket
    const other = corsRule({
      ID: 'other',
      AllowedOrigins: [PLAIN_ORIGIN],
      AllowedMethods: ['GET'],
      ExposeHeaders: ['x-other'],
    })
    await s3.bucket.s3.putBucketCors({ Bucket: bucket, CORSConfiguration: { CORSRules: [other] } })
    const Rules = [
      { ID: 'old', Status: 'Enabled' as const, Filter: { Prefix: 'tmp/' }, Expiration: { Days: 3 } },
    ]
    await s3.bucket.s3.putBucketLifecycleConfiguration({ Bucket: bucket, LifecycleConfiguration: { Rules } })
    const before = await run(t, s3.configId)
    expect(before.find('cors_no_put')).toMatchObject({ fixable: true })
    expect(before.find('uploads_never_aborted')).toMatchObject({ fixable: true, severity: 'warning' })
    expect('fixed' in (before.find('cors_no_put') ?? {})).toBe(false)
    expect((await s3.bucket.s3.getBucketCors({ Bucket: bucket })).CORSRules).toHaveLength(1)

    const fixed = await run(t, s3.configId, { fix: true })
    expect(fixed.success).toBe(true)
    expect(fixed.find('cors_no_put')).toMatchObject({ fixed: true })
    expect(fixed.find('uploads_never_aborted')).toMatchObject({ fixed: true })
    expect(fixed.result.cors).toMatchObject({ success: true, error: null })

    const cors = (await s3.bucket.s3.getBucketCors({ Bucket: bucket })).CORSRules ?? []
    expect(cors).toHaveLength(2)
    expect(cors[0]).toMatchObject({ AllowedOrigins: ['*'], AllowedHeaders: ['*'], ExposeHeaders: ['ETag'] })
    expect(cors[0]?.AllowedMethods?.toSorted()).toEqual(['GET', 'HEAD', 'PUT'])
    expect(cors[1]).toMatchObject({ AllowedOrigins: [PLAIN_ORIGIN], ExposeHeaders: ['x-other'] })
    const lifecycle = await s3.bucket.s3.getBucketLifecycleConfiguration({ Bucket: bucket })
    const rules = lifecycle.Rules?.toSorted((a, b) => (a.ID ?? '').localeCompare(b.ID ?? '')) ?? []
    expect(rules).toMatchObject([
      { Status: 'Enabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
      { ID: 'old', Status: 'Enabled', Filter: { Prefix: 'tmp/' }, Expiration: { Days: 3 } },
    ])
    const after = await run(t, s3.configId, { fix: true })
    expect([after.success, after.codes]).toEqual([true, []])
    expect(after.result.globalNote).toBe('The storage works.')
    expect((await s3.bucket.s3.getBucketCors({ Bucket: bucket })).CORSRules).toHaveLength(2)
  })

  test.skipIf(gateway === null)('reports missing permission to write the rules [s3]', async () => {
    await using t = await start()
    await using s3 = await addS3Mount(t, { mountPath: '/s3' })
    await s3.bucket.s3.deleteBucketCors({ Bucket: s3.bucket.bucket })
    const isRule = (url = '') => /[?&](?:cors|lifecycle)/.test(url)
    const fault = proxied((request, response) =>
      request.method === 'PUT' && isRule(request.url)
        ? refuse(response, { status: 403, code: 'AccessDenied' })
        : false,
    )
    await fault(s3, t, async () => {
      const { find, success } = await run(t, s3.configId, { fix: true })
      expect(success).toBe(false)
      expect(find('cors_missing')).toMatchObject({ fixed: false })
      expect(find('uploads_never_aborted')).toMatchObject({ fixed: false })
    })
    const hidden = proxied((request, response) =>
      isRule(request.url) ? refuse(response, { status: 403, code: 'AccessDenied' }) : false,
    )
    await hidden(s3, t, async () => {
      const { find } = await run(t, s3.configId)
      expect(find('cors_missing')).toMatchObject({ fixable: false })
      expect(find('uploads_never_aborted')).toBeUndefined()
    })
  })

  test.skipIf(gateway === null)('warns about pages on https with a storage on http [s3]', async () => {
    await using t = await start()
    await using s3 = await addS3Mount(t, { mountPath: '/s3' })
    const answer = await t.admin.call('POST', `/api/s3-configs/${s3.configId}/test`, {
      headers: { origin: ORIGIN },
    })
    const codes = answer.body.data.result.doctor.findings.map(({ code }: Finding) => code)
    expect(codes).toContain('mixed_content')
  })

  test('of credentials that cannot be decrypted returns 200 with the reason', async () => {
    await using t = await start()
    const body = {
      name: 'x',
      provider_type: 'AWS S3',
      endpoint_url: 'https://s3.eu-west-1.amazonaws.com',
      bucket_name: 'x',
      access_key_id: 'x',
      secret_access_key: 'x',
    }
    const { id } = (await t.admin.call('POST', '/api/s3-configs', { body })).body.data
    const change = { access_key_id_sealed: 'v1.AAAA' }
    await t.ctx.db.updateTable('storage_configs').set(change).where('id', '=', id).execute()
    const { success, codes, result } = await run(t, id)
    expect([success, codes]).toEqual([false, ['credentials_unreadable']])
    expect(result.read.error).toContain('cannot be decrypted')
    expect(result.connectionInfo.provider).toBe('AWS S3')
  })

  test('of the local disk writes, reads, and returns the free space', async () => {
    await using t = await start()
    const id = await localDiskId(t)
    const { success, result, codes } = await run(t, id)
    expect([success, codes]).toEqual([true, []])
    expect(result.doctor.freeBytes).toBeGreaterThan(0)
    expect(result.write).toMatchObject({ success: true, cleaned: true })
    await rm(join(t.dataDir, 'storage', 'local'), { recursive: true })
    const broken = await run(t, id, { language: 'zh' })
    expect([broken.success, broken.codes]).toEqual([false, ['disk_missing']])
    expect(broken.result.read.error).toContain('磁盘')
  })

  test('of an unknown storage is 404; keys are not allowed to run it', async () => {
    await using t = await start()
    const url = '/api/s3-configs/unknown/test'
    expect((await t.admin.call('POST', url)).status).toBe(404)
    const headers = { 'content-type': 'application/json' }
    expect((await t.admin.call('POST', url, { payload: '', headers })).status).toBe(404)
    const key = await t.keyClient({ file_permission: true, mount_permission: true })
    expect((await key.call('POST', `/api/s3-configs/${await localDiskId(t)}/test`)).status).toBe(403)
  })
})
