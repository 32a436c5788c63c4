import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  configOf,
  creatorOf,
  fileOf,
  hasGivenSlug,
  keyOf,
  mountOf,
  oldPassword,
  openOldSecret,
  pasteOf,
  settingOf,
  unfitOf,
  findOddName,
  findUnreadable,
} from './cloudpaste.models.ts'

const NOW_MS = Date.UTC(2026, 0, 2)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const FILE = {
  id: '3f2a9b1c-0000-4000-8000-000000000001',
  filename: 'a.png',
  storage_path: 'in/x-a.png',
  s3_config_id: 'c',
  slug: 'abc123',
  created_by: 'd2c6a4b0-0000-4000-8000-00000000000a',
}

describe('rows of CloudPaste', () => {
  test('a text, with both formats of times', () => {
    const row = {
      id: 'p',
      slug: 'abc',
      content: '# 你好',
      remark: '',
      password: null,
      expires_at: '2030-01-01 10:00:00',
      max_views: 0,
      views: 3,
      created_by: 'apikey:k',
      created_at: '2025-05-01T00:00:00.000Z',
      updated_at: '2025-05-02 00:00:00',
    }
    expect(pasteOf(row, NOW_MS)).toEqual({
      id: 'p',
      slug: 'abc',
      content: '# 你好',
      content_type: 'text/markdown',
      remark: null,
      expires_at_ms: Date.UTC(2030, 0, 1, 10),
      max_views: null,
      views: 3,
      purged_at_ms: null,
      created_by: 'apikey:k',
      created_at_ms: Date.UTC(2025, 4, 1),
      updated_at_ms: Date.UTC(2025, 4, 2),
    })
    expect(pasteOf({ ...row, expires_at: null, max_views: '5' }, NOW_MS)).toMatchObject({
      expires_at_ms: null,
      max_views: 5,
    })
  })

  test('a file that was uploaded into a mount keeps its object', () => {
    expect(fileOf(FILE, NOW_MS)).toMatchObject({ owns_object: 1, use_proxy: 1, etag: null, size_bytes: 0 })
    expect(fileOf({ ...FILE, use_proxy: 0, etag: '"ab"', size: 7 }, NOW_MS)).toMatchObject({
      use_proxy: 0,
      etag: 'ab',
      size_bytes: 7,
    })
    const mounted = [
      { ...FILE, created_by: 'admin:d2c6a4b0' },
      { ...FILE, created_by: 'apiKey:k' },
      { ...FILE, slug: 'M-3f2a9' },
    ]
    expect(mounted.map((row) => fileOf(row, NOW_MS).owns_object)).toEqual([0, 0, 0])
    expect(fileOf({ ...FILE, created_by: 'apikey:k' }, NOW_MS).owns_object).toBe(1)
    expect(fileOf({ ...FILE, mimetype: 'text/plain\r\nx: y' }, NOW_MS).mimetype).toBe(
      'application/octet-stream',
    )
  })

  test('generated links are recognized', () => {
    const given = ['1715000000000-aB3dE', 'M-3f2a9', 'abc123', '1715-a'].map((slug) =>
      hasGivenSlug({ ...FILE, slug }),
    )
    expect(given).toEqual([true, true, false, false])
  })

  test('creators are normalized', () => {
    expect(['admin:a', 'a', 'apiKey:k', 'apikey:k', '', null].map(creatorOf)).toEqual([
      'a',
      'a',
      'apikey:k',
      'apikey:k',
      null,
      null,
    ])
  })

  test('a password is known as plain text, by its digest, or absent', () => {
    expect(oldPassword(null, null)).toEqual({ kind: 'none' })
    expect(oldPassword(sha256('secret'), 'secret')).toEqual({ kind: 'plain', password: 'secret' })
    expect(oldPassword(sha256('secret'), 'another')).toEqual({ kind: 'digest', digest: sha256('secret') })
    expect(oldPassword(sha256('secret').toUpperCase(), null)).toMatchObject({ kind: 'digest' })
    expect(oldPassword('kept as it is', null)).toEqual({ kind: 'plain', password: 'kept as it is' })
  })

  test('credentials of storages are decrypted without a secret', () => {
    const sealed = `encrypted:c2ln:${Buffer.from('AK:IA/ñ').toString('base64')}`
    expect([openOldSecret(sealed), openOldSecret('plain'), openOldSecret(null)]).toEqual([
      'AK:IA/ñ',
      'plain',
      '',
    ])
  })

  test('a key never expires, has its folder without a slash, and its three rights', () => {
    const row = {
      id: 'k',
      name: ' phone ',
      text_permission: 1,
      file_permission: 0,
      mount_permission: '1',
      basic_path: '/photos/',
      expires_at: '9999-12-31T23:59:59.000Z',
      created_at: '2025-05-01 00:00:00',
    }
    expect(keyOf(row, NOW_MS)).toMatchObject({
      name: 'phone',
      text_permission: 1,
      file_permission: 0,
      mount_permission: 1,
      basic_path: '/photos',
      expires_at_ms: null,
    })
    expect(keyOf({ ...row, basic_path: '/' }, NOW_MS).basic_path).toBe('/')
    expect(unfitOf('api_key', keyOf({ ...row, basic_path: '/a/../b' }, NOW_MS), 'phone')).toEqual({
      kind: 'api_key',
      name: 'phone',
      field: 'basic_path',
      reason: expect.any(String),
    })
  })

  test('a row that cannot be imported reports its invalid field', () => {
    const mount = { id: 'm', name: 'x', storage_config_id: 'c', mount_path: '/api/x', created_by: 'admin:a' }
    expect(unfitOf('mount', mountOf(mount, NOW_MS), '/api/x')).toMatchObject({ field: 'mount_path' })
    expect(unfitOf('mount', mountOf({ ...mount, mount_path: '/照片' }, NOW_MS), '/照片')).toBeNull()
    const trail = mountOf({ ...mount, mount_path: '/trail/' }, NOW_MS)
    expect([trail.mount_path, unfitOf('mount', trail, '/trail/')]).toEqual(['/trail', null])
    const config = {
      id: 'c',
      name: 'R2',
      provider_type: 'Other S3 Compatible',
      endpoint_url: 'https://s3.example.org',
      bucket_name: 'files',
      signature_expires_in: 99_999_999,
    }
    expect(configOf(config, NOW_MS)).toMatchObject({ provider_type: 'Other', signature_expires_in: 604_800 })
    expect(unfitOf('storage_config', configOf(config, NOW_MS), 'R2')).toBeNull()
    const broken = configOf({ ...config, endpoint_url: 'file:///etc' }, NOW_MS)
    expect(unfitOf('storage_config', broken, 'R2')).toMatchObject({
      field: 'endpoint_url',
      reason: 'The endpoint is not valid: use an address like https://s3.example.com.',
    })
    const bucket = configOf({ ...config, bucket_name: 'a/b' }, NOW_MS)
    expect(unfitOf('storage_config', bucket, 'R2')).toMatchObject({ field: 'bucket_name' })
    expect(unfitOf('mount', mountOf(mount, NOW_MS), '/api/x')).toMatchObject({
      reason: 'The mount path is reserved: it must not start with /api.',
    })
    const file = fileOf({ ...FILE, storage_path: '' }, NOW_MS)
    expect(unfitOf('file', file, file.slug)).toMatchObject({ field: 'storage_key' })
    // CloudPaste did not limit the length of links.
    const long = fileOf({ ...FILE, slug: 'x'.repeat(120) }, NOW_MS)
    expect(unfitOf('file', long, long.slug)).toBeNull()
  })

  test('only settings that both systems have are imported', () => {
    expect(settingOf({ key: 'schema_version', value: '7' }, NOW_MS)).toBeNull()
    expect(settingOf({ key: 'webdav_upload_mode', value: 'odd' }, NOW_MS)).toBeNull()
    expect(settingOf({ key: 'max_upload_size', value: 250 }, NOW_MS)).toEqual({
      key: 'max_upload_size',
      value: '250',
      updated_at_ms: NOW_MS,
    })
  })

  test('a share with an unreadable limit or password is not imported without it', () => {
    expect(oldPassword(new Uint8Array([1]), 'plain')).toEqual({ kind: 'unreadable' })
    const fields = [
      { expires_at: 1_577_836_800_000 },
      { expires_at: 'Wed, 01 Jan 2020 00:00:00 GMT' },
      { max_views: -1 },
      { max_views: 0.5 },
      { max_views: new Uint8Array([1]) },
      { basic_path: new Uint8Array([1]) },
      { content: new Uint8Array([1]) },
    ].map((row) => findUnreadable(row)?.field)
    expect(fields).toEqual([
      'expires_at',
      'expires_at',
      'max_views',
      'max_views',
      'max_views',
      'basic_path',
      'content',
    ])
    const right = { expires_at: '2030-01-01 10:00:00', max_views: 5n, basic_path: '/a/' }
    expect([right, {}, { expires_at: null, max_views: null }].map(findUnreadable)).toEqual([null, null, null])
    expect(
      ['a_B-1', '', null, 7, new Uint8Array([1]), 'a/b', '../x'].map((slug) => findOddName('slug', slug)),
    ).toEqual([null, ...Array.from({ length: 6 }, () => expect.objectContaining({ field: 'slug' }))])
    const huge = pasteOf({ id: 'p', slug: 's', content: 'x', views: 2n ** 62n }, NOW_MS)
    expect(unfitOf('paste', huge, 's')).toMatchObject({ field: 'views' })
  })
})
