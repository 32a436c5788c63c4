import { request } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../../testing/app.ts'
import { recoverFiles } from '../files.jobs.ts'
import { localDiskId, pathOf } from '../../../../testing/files.ts'

async function presign(t: TestApp) {
  const body = { s3_config_id: await localDiskId(t), filename: 'a.bin' }
  const { data } = (await t.admin.call('POST', '/api/s3/presign', { body })).body
  return { id: data.file_id as string, path: pathOf(data.upload_url) }
}

const commit = (t: TestApp, id: string) => t.admin.call('POST', '/api/s3/commit', { body: { file_id: id } })

/** Starts a PUT over a real connection. The body is sent in pieces. */
async function beginPut(t: TestApp, path: string, first: string) {
  if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as { port: number }
  const outgoing = request({ host: '127.0.0.1', port, path, method: 'PUT' })
  outgoing.on('error', () => undefined)
  outgoing.write(first)
  const answered = once(outgoing, 'response').then(([response]) => {
    response.resume()
    return response.statusCode as number
  })
  const isReceiving = async () => {
    const row = await t.ctx.db.selectFrom('files').select('receiving_until_ms').executeTakeFirstOrThrow()
    return row.receiving_until_ms !== null
  }
  await expect.poll(isReceiving).toBe(true)
  return {
    finish(rest: string) {
      outgoing.end(rest)
      return answered
    },
  }
}

describeEachDatabase('signed PUT and commit at once', ({ startApp, engine }) => {
  test('a committed file is not replaced: no commit while bytes arrive, no bytes after the commit', async () => {
    await using t = await startApp()
    const { id, path } = await presign(t)
    await t.visitor.call('PUT', path, { payload: 'first' })
    const slow = await beginPut(t, path, 'seco')
    expect((await commit(t, id)).body.error.code).toBe('file.not_uploaded')
    expect(await slow.finish('nd one')).toBe(200)
    const done = await commit(t, id)
    expect(done.body.data.size).toBe('second one'.length)
    expect((await t.visitor.call('PUT', path, { payload: 'third' })).body.error.code).toBe(
      'storage.link_invalid',
    )
    const read = await t.visitor.call('GET', `/api/file-download/${done.body.data.slug}`)
    expect(read.text).toBe('second one')
  })

  test('a client that restarts takes over from its own broken connection', async () => {
    await using t = await startApp()
    const { id, path } = await presign(t)
    const hanging = await beginPut(t, path, 'half of')
    expect((await t.visitor.call('PUT', path, { payload: 'whole' })).status).toBe(200)
    expect(await hanging.finish(' it')).toBeGreaterThanOrEqual(400)
    expect((await commit(t, id)).body.data.size).toBe('whole'.length)
  })

  test('after a crash of the server, the lease of an interrupted PUT does not block the upload', async () => {
    await using t = await startApp()
    const { id, path } = await presign(t)
    const untilMs = t.clock.nowMs() + 30_000
    await t.ctx.db.updateTable('files').set({ receiving_until_ms: untilMs }).where('id', '=', id).execute()
    const busy = await t.visitor.call('PUT', path, { payload: 'bytes' })
    expect([busy.status, busy.headers['retry-after']]).toEqual([503, '10'])
    await recoverFiles(t.ctx)
    // A PostgreSQL database can be used by other replicas, so the lease must expire first.
    if (engine === 'postgres') t.clock.advance({ seconds: 30 })
    expect((await t.visitor.call('PUT', path, { payload: 'bytes' })).status).toBe(200)
    expect((await commit(t, id)).status).toBe(200)
  })
})
