import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeEachDatabase } from '../../../testing/app.ts'
import { importOld, makeOldDatabase, oldConfig, stamps } from '../../../testing/cloudpaste.ts'
import { startCommand } from '../../../testing/server-process.ts'

const NEVER = '9999-12-31T23:59:59.000Z'
const key = (name: string, secret: string) => ({
  id: randomUUID(),
  name,
  key: secret,
  text_permission: 1,
  expires_at: NEVER,
})

describeEachDatabase('keys of CloudPaste', ({ startApp }) => {
  test('get another name if theirs is taken, and are not imported if their secret is taken', async () => {
    await using t = await startApp()
    const create = (body: object) =>
      t.admin.call('POST', '/api/admin/api-keys', { body: { expires_at: 'never', ...body } })
    await create({ name: 'phone' })
    await create({ name: 'tablet', custom_key: 'secret-here' })
    const old = [key('phone', 'old-phone'), key('robot', 'secret-here')]
    const fill = (insert: (table: string, row: (typeof old)[number]) => void) => {
      for (const row of old) insert('api_keys', row)
    }
    const { result, altered } = await importOld(t, fill)
    expect(result.imported.api_key).toBe(1)
    expect(altered).toEqual([
      { kind: 'api_key', name: 'phone', change: expect.stringContaining('"phone (CloudPaste)"') },
    ])
    expect(result.skipped).toEqual([{ kind: 'api_key', name: 'robot', reason: 'key_exists' }])
    const opened = await t.client('ApiKey old-phone').call('POST', '/api/paste', { body: { content: 'x' } })
    expect(opened.status).toBe(201)
    const again = await importOld(t, fill)
    expect([again.altered, again.result.skipped.map(({ reason }) => reason)]).toEqual([
      [],
      ['id_exists', 'key_exists'],
    ])
  })
})

describe('the report of an import from CloudPaste', () => {
  test('lists conflicts with field and reason, all of them on request, and the number of existing rows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dropleaf-cloudpaste-'))
    const env = { DATA_DIR: join(folder, 'data'), INIT_CWD: folder }
    const broken = oldConfig('b', { name: 'cfg s3', endpoint_url: 's3.example.org', is_default: 0 })
    const whole = oldConfig('b', { name: 'cfg cdn', custom_host: 'cdn.example.org', default_folder: 'up//x' })
    const keyless = oldConfig('b', { name: 'cfg keyless', secret_access_key: null, is_default: 0 })
    const share = (more: object) => ({ id: randomUUID(), created_by: 'a', ...stamps, ...more })
    makeOldDatabase(join(folder, 'cloudpaste.db'), (insert) => {
      for (const config of [broken, whole, keyless]) insert('s3_configs', config)
      for (let index = 0; index < 25; index += 1) {
        insert('pastes', share({ slug: `good-${index}`, content: 'x' }))
        insert('pastes', share({ slug: `no slug ${index}`, content: 'x' }))
        insert('files', share({ slug: `f${index}`, storage_path: `k${index}`, s3_config_id: broken.id }))
      }
      // Both rows have the same object, so the second is skipped. It is found last, and the limit of listed rows must
      // not hide it.
      for (const slug of ['one', 'two'])
        insert('files', share({ slug, storage_path: 'same', s3_config_id: whole.id }))
      const mount = share({ storage_config_id: whole.id })
      insert('storage_mounts', { ...mount, name: 'dav', storage_type: 'WebDAV', mount_path: '/dav1' })
      insert('system_settings', { key: 'max_upload_size', value: '321', ...stamps })
    })
    const run = async (...args: string[]) => {
      const { code, output } = await startCommand('import-cloudpaste', { args, env }).done
      expect(code).toBe(0)
      return output
    }
    const first = await run('cloudpaste.db')
    expect(first).toContain('storages: cfg s3: endpoint_url: The endpoint is not valid: use an address like')
    expect(first).toContain('storages: cfg cdn: default_folder: new uploads go to "up/x" instead of "up//x"')
    expect(first).toContain('storages: cfg cdn: custom_host: left out, as "cdn.example.org" is no address')
    expect(first).toContain('storages: cfg keyless: it has no access key id or secret access key: enter them')
    expect(first).toMatch(/mounts: \/dav1: storage_type: not active here.*"WebDAV"/)
    expect(first).toContain('texts: no slug 3: slug: is empty, or has other characters')
    expect(first).toContain('files: two: another link leads to the same file')
    expect(first).not.toContain('no slug 24')
    expect(first).toContain('and 6 more, which --all lists')

    const second = await run('cloudpaste.db')
    expect(second).toContain('files: two: another link leads to the same file')
    expect(second).toContain('Here already: settings: 1, storages: 2, mounts: 1, texts: 25, files: 1')
    expect(second).not.toContain('good-')

    const everything = await run('cloudpaste.db', '--all', '--dry-run')
    for (const name of [
      'texts: no slug 24: slug: ',
      'files: f24: its storage',
      'texts: good-24: is here already',
    ])
      expect(everything).toContain(name)
    expect(everything).not.toContain(' more')
    expect(everything.indexOf('no slug')).toBeLessThan(everything.indexOf('good-'))
    await rm(folder, { recursive: true })
  })
})
