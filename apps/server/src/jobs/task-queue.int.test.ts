import { once } from 'node:events'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../testing/app.ts'
import { TaskQueue } from './task-queue.ts'

const queueOf = ({ ctx }: TestApp) =>
  new TaskQueue({ db: ctx.db, clock: ctx.clock, notices: ctx.notices, log: ctx.log })

describeEachDatabase('the queue of tasks', ({ startApp }) => {
  test('a task that many stops have interrupted still resumes', async () => {
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

  test('a task whose process died repeatedly is given up', async () => {
    await using t = await startApp()
    const task = await t.ctx.tasks.add({ type: 'deadly', owner: 'admin', payload: {} })
    // Simulates ten processes that were killed while they ran the task.
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

  test('an unavailable database does not count as a failure of the task, which resumes from its checkpoint', async () => {
    await using t = await startApp()
    const { id } = await t.ctx.tasks.add({ type: 'patient', owner: 'admin', payload: {} })
    const queue = queueOf(t)
    queue.handle('patient', async (task) => {
      task.progress.doneItems += 1
      if (task.checkpoint !== null) return
      await task.saveCheckpoint('half')
      throw new Error('Connection terminated unexpectedly')
    })
    await queue.drain()
    const row = await t.ctx.tasks.find(id)
    expect([row?.state, row?.attempts, row?.failures]).toEqual(['completed', 2, '[]'])
    expect(JSON.parse(row?.progress ?? '{}')).toMatchObject({ doneItems: 2, failedItems: 0 })
  })
})
