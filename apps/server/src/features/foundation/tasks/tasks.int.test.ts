import { expect, test } from 'vitest'
import { describeEachDatabase } from '../../../testing/app.ts'

describeEachDatabase('tasks', ({ startApp }) => {
  test('a key cannot see, stop, retry or delete the tasks of another key', async () => {
    await using t = await startApp({ resolve: () => Promise.reject(new Error('There is no such host.')) })
    const beginner = await t.keyClient({ file_permission: true })
    const other = await t.keyClient({ text_permission: true, file_permission: true, mount_permission: true })
    const begun = await beginner.call('POST', '/api/url/import', {
      body: { url: 'http://nowhere.test/secret-name.txt' },
    })
    expect(begun.status).toBe(201)
    const { id } = begun.body.data.task
    await t.ctx.tasks.drain()
    const list = await other.call('GET', '/api/tasks')
    expect([list.status, list.body.data.tasks, list.text.includes('secret-name')]).toEqual([200, [], false])
    for (const [method, path] of [
      ['GET', `/api/tasks/${id}`],
      ['POST', `/api/tasks/${id}/cancel`],
      ['POST', `/api/tasks/${id}/retry`],
      ['DELETE', `/api/tasks/${id}`],
    ] as const) {
      const answer = await other.call(method, path)
      expect([method, path, answer.status, answer.text.includes('secret-name')]).toEqual([
        method,
        path,
        404,
        false,
      ])
    }
    expect((await other.call('DELETE', '/api/tasks')).status).toBe(200)
    for (const client of [beginner, t.admin])
      expect((await client.call('GET', `/api/tasks/${id}`)).body.data.id).toBe(id)
  })
})
