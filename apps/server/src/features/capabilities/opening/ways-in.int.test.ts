import { expect, test } from 'vitest'
import type { TestAnswer } from '../../../testing/app.ts'
import { uploadForm } from '../../../testing/files.ts'
import { putFile, putSigned } from '../../../testing/fs.ts'
import { look, openSlowly, SECRET } from '../../../testing/opening.ts'
import { describeEachStorage, type StorageTestApp } from '../../../testing/storages.ts'

const PIN = '13579'

type Share = (t: StorageTestApp, fields: Record<string, string>) => Promise<TestAnswer>

const PARTS = { filename: 'a.txt', size: SECRET.length }
const FROM = {
  url: 'http://origin.test/a.txt',
  metadata: { filename: 'a.txt', contentType: 'text/plain', size: SECRET.length },
}

/** All interfaces that create a share, with the fields that the user sets. */
const WAYS: Readonly<Record<string, { readonly kind: 'paste' | 'file'; readonly share: Share }>> = {
  'a text': {
    kind: 'paste',
    share: (t, { max_views, ...fields }) =>
      t.admin.call('POST', '/api/paste', { body: { content: SECRET, maxViews: max_views, ...fields } }),
  },
  'a text from a terminal': {
    kind: 'paste',
    share: (t, query) => t.admin.call('POST', '/', { payload: SECRET, query }),
  },
  'a raw body': {
    kind: 'file',
    share: (t, query) => t.admin.call('PUT', '/api/upload-direct/a.txt', { payload: SECRET, query }),
  },
  'a file from a terminal': {
    kind: 'file',
    share: (t, query) => t.admin.call('PUT', '/a.txt', { payload: SECRET, query }),
  },
  'a form': {
    kind: 'file',
    share: (t, fields) =>
      uploadForm(t.admin, [
        { name: 'file', value: SECRET, filename: 'a.txt', type: 'text/plain' },
        ...Object.entries(fields).map(([name, value]) => ({ name, value })),
      ]),
  },
  'a signed URL': {
    kind: 'file',
    async share(t, { slug, s3_config_id, ...fields }) {
      const body = { s3_config_id, slug, ...PARTS }
      const { data } = (await t.admin.call('POST', '/api/s3/presign', { body })).body
      expect((await putSigned(t.visitor, data.upload_url, SECRET)).status).toBe(200)
      return t.admin.call('POST', '/api/s3/commit', { body: { file_id: data.file_id, ...fields } })
    },
  },
  parts: {
    kind: 'file',
    async share(t, fields) {
      const begun = await t.admin.call('POST', '/api/s3/multipart/init', { body: { ...PARTS, ...fields } })
      if (begun.status !== 200) return begun
      const { data } = begun.body
      expect((await putSigned(t.visitor, data.presigned_urls[0].url, SECRET)).status).toBe(200)
      return t.admin.call('POST', '/api/s3/multipart/complete', { body: { file_id: data.file_id } })
    },
  },
  'a fetched URL': {
    kind: 'file',
    async share(t, { slug, s3_config_id, ...fields }) {
      const body = { ...FROM, s3_config_id, slug }
      const { data } = (await t.admin.call('POST', '/api/url/presign', { body })).body
      expect((await putSigned(t.visitor, data.upload_url, SECRET)).status).toBe(200)
      return t.admin.call('POST', '/api/url/commit', { body: { file_id: data.file_id, ...fields } })
    },
  },
  'parts of a fetched URL': {
    kind: 'file',
    async share(t, fields) {
      const body = { ...FROM, ...fields }
      const begun = await t.admin.call('POST', '/api/url/multipart/init', { body })
      if (begun.status !== 200) return begun
      const { data } = begun.body
      const put = await putSigned(t.visitor, data.presigned_urls[0].url, SECRET)
      const parts = [{ partNumber: 1, etag: put.etag }]
      return t.admin.call('POST', '/api/url/multipart/complete', {
        body: { file_id: data.file_id, upload_id: data.upload_id, parts },
      })
    },
  },
  'a file in a mount': {
    kind: 'file',
    async share(t, { s3_config_id: _storage, ...fields }) {
      const path = `${t.storage.mountPath}/${fields['slug']}.txt`
      await putFile(t.admin, path, SECRET)
      return t.admin.call('POST', '/api/fs/share', { body: { path, ...fields } })
    },
  },
}

describeEachStorage('every way to share', ({ startApp }) => {
  test('accepts the opening method and a PIN', async () => {
    await using t = await startApp()
    for (const [way, { kind, share }] of Object.entries(WAYS)) {
      const slug = way.replaceAll(' ', '-')
      const storage = kind === 'file' ? { s3_config_id: t.storage.configId } : {}
      const answer = await share(t, { ...storage, slug, max_views: '1', pin: PIN })
      expect([way, answer.status < 300, answer.text]).toEqual([way, true, expect.any(String)])
      const place = { kind, slug }
      expect([way, await look(t, place)]).toEqual([
        way,
        expect.objectContaining({ opening: 'ask', requires_pin: true, views_left: 1 }),
      ])
      expect([way, (await openSlowly(t, place, { pin: PIN })).status]).toEqual([way, 200])
      const asking = { kind, slug: `${slug}-asks` }
      await share(t, { ...storage, slug: asking.slug, opening: 'ask' })
      expect([way, (await look(t, asking))?.opening]).toEqual([way, 'ask'])
      const plain = { kind, slug: `${slug}-shows` }
      await share(t, { ...storage, slug: plain.slug, max_views: '1' })
      expect([way, (await look(t, plain))?.opening]).toEqual([way, 'direct'])
      const refused = await share(t, { ...storage, slug: `${slug}-not`, opening: 'direct', pin: PIN })
      expect([way, refused.status]).toEqual([way, 400])
    }
  })
})
