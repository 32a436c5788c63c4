import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../../testing/app.ts'
import { draftBundle, publishBundle, publishedBundle, putObject } from '../../../../testing/bundles.ts'
import { localDiskId, share, shareRaw, uploadForm } from '../../../../testing/files.ts'
import { putFile } from '../../../../testing/fs.ts'
import { publishedSealed, sealedDraft } from '../../../../testing/sealed.ts'

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

/** Requests that create a share that the server can read, one for each interface. */
const WAYS: Readonly<Record<string, (t: TestApp) => Promise<{ status: number; text: string }>>> = {
  'a text': (t) => t.admin.call('POST', '/api/paste', { body: { content: 'x' } }),
  'a text from a shell': (t) =>
    t.admin.call('POST', '/', { payload: 'x', headers: { 'content-type': 'text/plain' } }),
  'a file in one request': (t) => shareRaw(t.admin, 'a.txt'),
  'a file from a shell': (t) => t.admin.call('PUT', '/a.txt', { payload: 'x', headers: OCTETS }),
  'a file by a form': (t) => uploadForm(t.admin, [{ name: 'file', filename: 'a.txt', value: 'x' }]),
  'a file by a signed URL': presign,
  'a file in parts': (t) =>
    t.admin.call('POST', '/api/s3/multipart/init', { body: { filename: 'a.txt', size: 1 } }),
  'a file from a URL': async (t) => t.admin.call('POST', '/api/url/presign', { body: await fetched(t) }),
  'parts of a file from a URL': async (t) =>
    t.admin.call('POST', '/api/url/multipart/init', { body: await fetched(t) }),
  'a file of a mount': async (t) => t.admin.call('POST', '/api/fs/share', { body: { path: '/local/a.txt' } }),
  'a draft of a bundle': (t) => t.admin.call('POST', '/api/bundles', { body: {} }),
}

describeEachDatabase('the policy for end-to-end encryption', ({ startApp }) => {
  test('"required" refuses open shares through every interface', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/a.txt', 'x')
    await setPolicy(t, 'required')
    for (const [way, make] of Object.entries(WAYS)) {
      const { status, text } = await make(t)
      expect([way, status, text]).toEqual([way, 403, expect.stringContaining('end-to-end encrypted')])
    }
    expect(await openShares(t)).toBe(0)
    await publishedSealed(t.admin, { bytes: new Uint8Array(5) })
    await setPolicy(t, 'offered')
    for (const [way, make] of Object.entries(WAYS))
      expect([way, (await make(t)).status < 300]).toEqual([way, true])
  })

  test('"required" refuses to finish uploads that were started before, and to change contents of open shares', async () => {
    await using t = await startApp()
    const text = (await t.admin.call('POST', '/api/paste', { body: { content: 'x' } })).body
    const published = await publishedBundle(t.admin)
    const draft = await draftBundle(t.admin)
    await putObject(t.admin, draft, { n: 0 })
    const begun = (await presign(t)).body.data
    const { pathname, search } = new URL(begun.upload_url)
    expect((await t.visitor.call('PUT', pathname + search, { payload: 'x' })).status).toBe(200)
    const before = await openShares(t)
    await setPolicy(t, 'required')
    const answers = [
      await t.admin.call('POST', '/api/s3/commit', { body: { file_id: begun.file_id, etag: '' } }),
      await publishBundle(t.admin, draft, { page: { text: 'y' }, expected: 0 }),
      await publishBundle(t.admin, published, { page: { text: 'y' }, expected: 1 }),
      await t.admin.call('POST', `/api/bundles/${published.id}/revisions/1/restore`, {
        body: { expected_revision: 1 },
      }),
      await t.admin.call('PUT', `/api/admin/pastes/${text.slug}`, { body: { content: 'y' } }),
    ]
    expect(answers.map(({ body }) => body.error?.code)).toEqual(answers.map(() => 'share.must_be_sealed'))
    expect(await openShares(t)).toBe(before)
    const kept = await t.admin.call('PUT', `/api/admin/pastes/${text.slug}`, {
      body: { content: 'x', remark: 'mine' },
    })
    expect(kept.status).toBe(200)
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
