import { expect, test } from 'vitest'
import { describeEachDatabase, type TestAnswer, type TestApp } from '../../../../testing/app.ts'
import { draftBundle, publishBundle, publishedBundle, putObject } from '../../../../testing/bundles.ts'
import { allRoutes } from '../../../../testing/contract-routes.ts'
import { localDiskId, share, shareRaw, uploadForm } from '../../../../testing/files.ts'
import { putFile, putSigned } from '../../../../testing/fs.ts'
import { publishedSealed, sealedDraft } from '../../../../testing/sealed.ts'

const REFUSAL = 'share.must_be_sealed'

const setPolicy = async (t: TestApp, sealed_policy: string) => {
  const { status } = await t.admin.call('PUT', '/api/admin/system-settings', { body: { sealed_policy } })
  expect(status).toBe(200)
}

/** Counts the shares that the server can read. */
async function openShares(t: TestApp): Promise<number> {
  const texts = await t.ctx.db.selectFrom('pastes').select('id').execute()
  const files = await t.ctx.db
    .selectFrom('files')
    .select('id')
    .where('committed_at_ms', 'is not', null)
    .where('bundle_id', 'is', null)
    .execute()
  const bundles = await t.ctx.db
    .selectFrom('bundles')
    .select('id')
    .where('revision', '>', 0)
    .where('sealed', 'is', null)
    .execute()
  return texts.length + files.length + bundles.length
}

const presign = async (t: TestApp) =>
  t.admin.call('POST', '/api/s3/presign', {
    body: { s3_config_id: await localDiskId(t), filename: 'a.txt', size: 1 },
  })

/** Returns the body of a request to share a file that the browser fetches from another server. */
const fetched = async (t: TestApp) => ({
  s3_config_id: await localDiskId(t),
  url: 'http://files.test/a.txt',
  metadata: { filename: 'a.txt', contentType: 'text/plain', size: 1 },
})

const OCTETS = { 'content-type': 'application/octet-stream' }

type Ask = (t: TestApp) => Promise<TestAnswer>

/** Requests that create shares that the server can read, keyed by route. */
const MAKING: Readonly<Record<string, Ask>> = {
  'POST /api/paste': (t) => t.admin.call('POST', '/api/paste', { body: { content: 'x' } }),
  'POST /': (t) => t.admin.call('POST', '/', { payload: 'x', headers: { 'content-type': 'text/plain' } }),
  'PUT /api/upload-direct/:filename': (t) => shareRaw(t.admin, 'a.txt'),
  'PUT /:filename': (t) => t.admin.call('PUT', '/a.txt', { payload: 'x', headers: OCTETS }),
  'POST /api/upload': (t) => uploadForm(t.admin, [{ name: 'file', filename: 'a.txt', value: 'x' }]),
  'POST /api/s3/presign': presign,
  'POST /api/s3/multipart/init': (t) =>
    t.admin.call('POST', '/api/s3/multipart/init', { body: { filename: 'a.txt', size: 1 } }),
  'POST /api/url/presign': async (t) => t.admin.call('POST', '/api/url/presign', { body: await fetched(t) }),
  'POST /api/url/multipart/init': async (t) =>
    t.admin.call('POST', '/api/url/multipart/init', { body: await fetched(t) }),
  'POST /api/url/import': async (t) => t.admin.call('POST', '/api/url/import', { body: await fetched(t) }),
  'POST /api/fs/share': (t) => t.admin.call('POST', '/api/fs/share', { body: { path: '/local/a.txt' } }),
  'POST /api/bundles': (t) => t.admin.call('POST', '/api/bundles', { body: {} }),
  'POST /api/admin/samples': (t) => t.admin.call('POST', '/api/admin/samples'),
}

const madeText = async (t: TestApp) =>
  (await t.admin.call('POST', '/api/paste', { body: { content: 'x' } })).body

const changedText =
  (role: 'admin' | 'user') =>
  async (t: TestApp): Promise<() => Promise<TestAnswer>> => {
    const { slug } = await madeText(t)
    return () => t.admin.call('PUT', `/api/${role}/pastes/${slug}`, { body: { content: 'y' } })
  }

/**
 * Keyed by the route that turns an earlier upload into a share, or changes the contents of a share. Each function
 * prepares the upload or the share, and returns the request that the policy `required` refuses.
 */
const FINISHING: Readonly<Record<string, (t: TestApp) => Promise<() => Promise<TestAnswer>>>> = {
  async 'POST /api/s3/commit'(t) {
    const { file_id, upload_url } = (await presign(t)).body.data
    await putSigned(t.visitor, upload_url, Buffer.from('x'))
    return () => t.admin.call('POST', '/api/s3/commit', { body: { file_id, etag: '' } })
  },
  async 'POST /api/s3/multipart/complete'(t) {
    const begun = await t.admin.call('POST', '/api/s3/multipart/init', {
      body: { filename: 'a.txt', size: 1 },
    })
    const { file_id } = begun.body.data
    const part = { payload: 'x', query: { file_id, part_number: '1' }, headers: OCTETS }
    expect((await t.admin.call('PUT', '/api/s3/multipart/part', part)).status).toBe(200)
    return () => t.admin.call('POST', '/api/s3/multipart/complete', { body: { file_id } })
  },
  async 'POST /api/url/commit'(t) {
    const begun = await t.admin.call('POST', '/api/url/presign', { body: await fetched(t) })
    const { file_id, upload_url } = begun.body.data
    await putSigned(t.visitor, upload_url, Buffer.from('x'))
    return () => t.admin.call('POST', '/api/url/commit', { body: { file_id } })
  },
  async 'POST /api/url/multipart/complete'(t) {
    const begun = await t.admin.call('POST', '/api/url/multipart/init', { body: await fetched(t) })
    const { file_id, upload_id, presigned_urls } = begun.body.data
    const { etag } = await putSigned(t.visitor, presigned_urls[0].url, Buffer.from('x'))
    const body = { file_id, upload_id, parts: [{ partNumber: 1, etag }] }
    return () => t.admin.call('POST', '/api/url/multipart/complete', { body })
  },
  async 'POST /api/bundles/:id/revisions'(t) {
    const draft = await draftBundle(t.admin)
    await putObject(t.admin, draft, { n: 0 })
    return () => publishBundle(t.admin, draft, { page: { text: 'y' }, expected: 0 })
  },
  async 'POST /api/bundles/:id/revisions/:r/restore'(t) {
    const { id } = await publishedBundle(t.admin)
    const body = { expected_revision: 1 }
    return () => t.admin.call('POST', `/api/bundles/${id}/revisions/1/restore`, { body })
  },
  'PUT /api/admin/pastes/:id': changedText('admin'),
  'PUT /api/user/pastes/:id': changedText('user'),
  async 'POST /api/pastes/:id/revisions/:revision/restore'(t) {
    const { slug } = await madeText(t)
    await t.admin.call('PUT', `/api/admin/pastes/${slug}`, { body: { content: 'y' } })
    const [former] = (await t.admin.call('GET', `/api/pastes/${slug}/revisions`)).body.data
    return () => t.admin.call('POST', `/api/pastes/${slug}/revisions/${former.id}/restore`)
  },
}

/** Every other route that can change something, keyed by the reason why the policy allows it. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'an upload that began before, which becomes no share without a route of FINISHING': [
    'POST /api/bundles/:id/objects',
    'PUT /api/bundles/:id/objects/:n',
    'PUT /api/bundles/:id/objects/:n/parts/:part',
    'POST /api/bundles/:id/objects/:n/complete',
    'PUT /api/s3/multipart/part',
    'PUT /api/storage/:config/*',
  ],
  'settings of a share, its opening, its end': [
    'PUT /api/bundles/:id',
    'DELETE /api/bundles/:id/objects/:n',
    'POST /api/bundles/delete',
    'PUT /api/admin/files/:id',
    'PUT /api/user/files/:id',
    'DELETE /api/admin/files/batch-delete',
    'DELETE /api/user/files/batch-delete',
    'POST /api/admin/files/delete-matching',
    'POST /api/user/files/delete-matching',
    'POST /api/admin/files/clear-expired',
    'POST /api/user/files/clear-expired',
    'DELETE /api/admin/pastes/:id',
    'DELETE /api/user/pastes/:id',
    'POST /api/admin/pastes/batch-delete',
    'POST /api/user/pastes/batch-delete',
    'POST /api/admin/pastes/delete-matching',
    'POST /api/user/pastes/delete-matching',
    'POST /api/admin/pastes/clear-expired',
    'POST /api/user/pastes/clear-expired',
    'DELETE /api/pastes/:id/revisions',
    'POST /api/opening/paste/:id/arm',
    'POST /api/opening/file/:id/arm',
    'POST /api/opening/bundle/:id/arm',
    'POST /api/opening/paste/ask-limited',
    'POST /api/opening/file/ask-limited',
    'POST /api/s3/multipart/abort',
    'POST /api/url/cancel',
    'POST /api/url/multipart/abort',
    'DELETE /api/admin/samples',
  ],
  'reading a share': [
    'POST /api/bundles/:slug/open',
    'POST /api/bundles/:slug/archive',
    'POST /api/bundles/:slug/addresses',
    'POST /api/public/files/:slug/verify',
    'POST /api/paste/:slug',
    'POST /api/opening/:kind/:slug/intent',
    'POST /api/opening/:kind/:slug/intent/trap',
    'POST /api/opening/paste/:slug/open',
    'POST /api/opening/file/:slug/open',
    'POST /api/opening/paste/:slug/take',
    'POST /api/opening/file/:slug/take',
    'POST /api/opening/bundle/:slug/take',
    'POST /api/url/info',
  ],
  'files of mounts, which are not shares': [
    'POST /api/fs/archive',
    'POST /api/fs/archive/ticket',
    'POST /api/fs/mkdir',
    'POST /api/fs/update',
    'POST /api/fs/rename',
    'POST /api/fs/batch-move',
    'DELETE /api/fs/batch-remove',
    'POST /api/fs/batch-copy',
    'POST /api/fs/batch-copy-commit',
    'POST /api/fs/upload',
    'PUT /api/fs/upload',
    'POST /api/fs/presign',
    'POST /api/fs/presign/commit',
    'POST /api/fs/multipart/init',
    'POST /api/fs/multipart/part',
    'PUT /api/fs/multipart/part',
    'POST /api/fs/multipart/complete',
    'POST /api/fs/multipart/abort',
  ],
  'a task, which checks the policy itself before it makes a share': [
    'POST /api/tasks/:id/cancel',
    'POST /api/tasks/:id/retry',
    'DELETE /api/tasks/:id',
    'DELETE /api/tasks',
  ],
  'a backup that the administrator restores': [
    'POST /api/admin/backup/import',
    'POST /api/admin/backup/export',
  ],
  administration: [
    'POST /api/admin/api-keys',
    'PUT /api/admin/api-keys/:id',
    'DELETE /api/admin/api-keys/:id',
    'POST /api/admin/login',
    'POST /api/admin/logout',
    'POST /api/admin/change-password',
    'DELETE /api/admin/sessions/:id',
    'POST /api/admin/sessions/end-others',
    'POST /api/admin/mounts',
    'PUT /api/admin/mounts/:id',
    'DELETE /api/admin/mounts/:id',
    'POST /api/s3-configs',
    'PUT /api/s3-configs/:id',
    'DELETE /api/s3-configs/:id',
    'PUT /api/s3-configs/:id/set-default',
    'POST /api/s3-configs/:id/test',
    'PUT /api/admin/system-settings',
    'POST /api/admin/restored/confirm',
    'POST /api/admin/cache/clear',
    'POST /api/user/cache/clear',
    'POST /api/admin/reconciliation',
    'POST /api/admin/index/:configId/rebuild',
    'PUT /api/admin/welcome',
  ],
}

const nameOf = ({ method, path }: (typeof allRoutes)[number]) => `${method} ${path}`

test('each route that changes something is known to the tests of the policy, and its documentation names the refusal', () => {
  const changing = allRoutes.filter(({ method }) => method !== 'GET')
  const refused = [...Object.keys(MAKING), ...Object.keys(FINISHING)]
  const known = [...refused, ...Object.values(ALLOWED).flat()]
  expect(known.toSorted()).toEqual(changing.map(nameOf).toSorted())
  const documented = changing.filter(({ errors }) => errors.some(({ code }) => code === REFUSAL)).map(nameOf)
  expect(documented).toEqual(expect.arrayContaining(refused))
})

describeEachDatabase('the policy for end-to-end encryption', ({ startApp }) => {
  test('"required" refuses open shares through every interface', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/a.txt', 'x')
    await setPolicy(t, 'required')
    for (const [way, make] of Object.entries(MAKING)) {
      const { status, text } = await make(t)
      expect([way, status, text]).toEqual([way, 403, expect.stringContaining('end-to-end encrypted')])
    }
    expect(await openShares(t)).toBe(0)
    expect(await t.ctx.db.selectFrom('tasks').select('id').execute()).toEqual([])
    await publishedSealed(t.admin, { bytes: new Uint8Array(5) })
    await setPolicy(t, 'offered')
    for (const [way, make] of Object.entries(MAKING))
      expect([way, (await make(t)).status < 300]).toEqual([way, true])
  })

  test('"required" refuses to finish uploads that were started before, and to change contents of open shares', async () => {
    await using t = await startApp()
    const { slug } = await madeText(t)
    const requests: Array<[string, () => Promise<TestAnswer>]> = []
    for (const [way, prepare] of Object.entries(FINISHING)) requests.push([way, await prepare(t)])
    const published = await publishedBundle(t.admin)
    requests.push([
      'another revision',
      () => publishBundle(t.admin, published, { page: { text: 'y' }, expected: 1 }),
    ])
    const before = await openShares(t)
    await setPolicy(t, 'required')
    for (const [way, finish] of requests)
      expect([way, (await finish()).body.error?.code]).toEqual([way, REFUSAL])
    expect(await openShares(t)).toBe(before)
    const kept = await t.admin.call('PUT', `/api/admin/pastes/${slug}`, {
      body: { content: 'x', remark: 'mine' },
    })
    expect(kept.status).toBe(200)
    await setPolicy(t, 'offered')
    for (const [way, finish] of requests) expect([way, (await finish()).status < 300]).toEqual([way, true])
  })

  test('an import that was waiting when the policy changed fails without a request to its source, also when repeated', async () => {
    const asked: string[] = []
    await using t = await startApp({
      env: { URL_FETCH_ALLOW: 'files.test' },
      resolve: async (host) => {
        asked.push(host)
        throw new Error('There is no such host.')
      },
    })
    const started = await MAKING['POST /api/url/import']?.(t)
    const { id } = started?.body.data.task ?? {}
    await t.ctx.tasks.drain()
    expect(asked).not.toEqual([])
    asked.length = 0
    await setPolicy(t, 'required')
    expect((await t.admin.call('POST', `/api/tasks/${id}/retry`)).status).toBe(200)
    await t.ctx.tasks.drain()
    const { state, error } = (await t.admin.call('GET', `/api/tasks/${id}`)).body.data
    expect([state, error?.code, asked]).toEqual(['failed', REFUSAL, []])
    const { metadata: _metadata, ...described } = await fetched(t)
    for (const path of ['/api/url/presign', '/api/url/multipart/init']) {
      const answer = await t.admin.call('POST', path, { body: described })
      expect([path, answer.body.error?.code, asked]).toEqual([path, REFUSAL, []])
    }
    const body = { url: 'http://files.test/a.txt', target_path: '/local/in/' }
    expect((await t.admin.call('POST', '/api/url/import', { body })).status).toBe(201)
  })

  test('"off" refuses sealed bundles, and the page gets the policy', async () => {
    await using t = await startApp()
    const policyOf = async () => (await t.visitor.call('GET', '/api/system/sealing')).body.data.policy
    expect(await policyOf()).toBe('offered')
    await setPolicy(t, 'off')
    expect(await policyOf()).toBe('off')
    await expect(sealedDraft(t.admin)).rejects.toThrow(/turned off/)
    await share(t.admin, 'a.txt')
  })
})
