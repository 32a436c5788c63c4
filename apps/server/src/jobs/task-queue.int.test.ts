import { once } from 'node:events'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../testing/app.ts'
import { createTaskQueue } from './task-queue.ts'

const queueOf = ({ ctx }: TestApp) =>
  createTaskQueue({ db: ctx.db, clock: ctx.clock, notices: ctx.notices, log: ctx.log })

describeEachDatabase('the queue of tasks', ({ startApp }) => {
  test('a task that many stops broke off goes on all the same', async () => {
    await using t = await startApp()
    const task = await t.ctx.tasks.add({ type: 'long', owner: 'admin', payload: {} })
    for (let starts = 0; starts < 12; starts += 1) {
      const queue = queueOf(t)
      const begun = Promise.withResolvers<void>()
      queue.handle('long', async ({ signal }) => {
        begun.resolve()
        await once(signal, 'abort')
      })
      await queue.start({ isAlone: false })
      await begun.promise
      await queue.stop()
      expect(await t.ctx.tasks.find(task.id)).toMatchObject({ state: 'pending', attempts: 0 })
    }
    const last = queueOf(t)
    last.handle('long', async () => undefined)
    await last.drain()
    expect((await t.ctx.tasks.find(task.id))?.state).toBe('completed')
  })

  test('one that ended with its process again and again is given up', async () => {
    await using t = await startApp()
    const task = await t.ctx.tasks.add({ type: 'deadly', owner: 'admin', payload: {} })
    // As ten processes leave it that were killed.
    await t.ctx.db
      .updateTable('tasks')
      .set({ state: 'running', attempts: 10, lease_until_ms: 0 })
      .where('id', '=', task.id)
      .execute()
    const queue = queueOf(t)
    queue.handle('deadly', async () => undefined)
    await queue.drain()
    expect((await t.ctx.tasks.find(task.id))?.state).toBe('failed')
  })
})
