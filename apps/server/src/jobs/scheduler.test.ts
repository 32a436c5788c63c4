import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { Scheduler } from './scheduler.ts'

/**
 * Simulates the smallest possible connection pool. Code that holds all connections and waits for another connection
 * blocks forever.
 */
function smallPool(size: number) {
  let free = size
  const waiting: Array<() => void> = []
  async function withConnection<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
  return { withConnection }
}

test('many jobs at the start do not use up the database connections', async () => {
  const pool = smallPool(5)
  const done: number[] = []
  const failures: unknown[] = []
  const log = pino({ level: 'error' }, { write: (line) => void failures.push(line) })
  const database = { exclusively: <T>(_name: string, work: () => Promise<T>) => pool.withConnection(work) }
  const scheduler = new Scheduler({ database, log })
  for (let at = 0; at < 20; at += 1)
    scheduler.add({
      name: `job ${at}`,
      everyMinutes: 60,
      run: () =>
        pool.withConnection(() =>
          pool.withConnection(async () => {
            await turn()
            done.push(at)
          }),
        ),
    })
  scheduler.start()
  await scheduler.settle()
  await scheduler.stop()
  expect([done.length, failures]).toEqual([20, []])
})

test('requested work runs one piece at a time, and leaves connections and time for other jobs', async () => {
  const pool = smallPool(5)
  const done: string[] = []
  const failures: unknown[] = []
  const log = pino({ level: 'error' }, { write: (line) => void failures.push(line) })
  const database = { exclusively: <T>(_name: string, work: () => Promise<T>) => pool.withConnection(work) }
  const scheduler = new Scheduler({ database, log })
  const ending = Promise.withResolvers<void>()
  scheduler.soon({ name: 'first', subject: 'first' }, () => pool.withConnection(() => ending.promise))
  for (let at = 0; at < 20; at += 1)
    scheduler.soon({ name: 'asked', subject: `asked ${at}` }, () =>
      pool.withConnection(() => pool.withConnection(async () => void done.push('asked'))),
    )
  for (const name of ['a', 'b', 'c'])
    scheduler.add({ name, everyMinutes: 60, run: async () => void done.push(name) })
  scheduler.start()
  await expect.poll(() => done).toEqual(['a', 'b', 'c'])
  ending.resolve()
  await scheduler.settle()
  await scheduler.stop()
  expect([done.length, failures]).toEqual([23, []])
})

test('work that is queued or running is not queued again, but can be after its end', async () => {
  const done: number[] = []
  const log = pino({ level: 'silent' })
  const database = { exclusively: <T>(_name: string, work: () => Promise<T>) => work() }
  const scheduler = new Scheduler({ database, log })
  const ask = (at: number) =>
    scheduler.soon({ name: 'crawl', subject: 'a storage' }, async () => void done.push(at))
  ask(1)
  ask(2)
  await scheduler.settle()
  await vi.waitFor(() => {
    ask(3)
    expect(done).toContain(3)
  })
  expect(done).not.toContain(2)
  await scheduler.stop()
})

test('failed work is reported, and the next starts', async () => {
  const failures: string[] = []
  const done: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void failures.push(line) })
  const database = { exclusively: <T>(_name: string, work: () => Promise<T>) => work() }
  const scheduler = new Scheduler({ database, log })
  scheduler.soon({ name: 'broken', subject: 'a' }, () => Promise.reject(new Error('broken')))
  scheduler.soon({ name: 'next', subject: 'b' }, async () => void done.push('next'))
  await scheduler.settle()
  expect([done, failures.length]).toEqual([['next'], 1])
})

test('queued work does not start after a stop', async () => {
  const begun: string[] = []
  const database = { exclusively: <T>(_name: string, work: () => Promise<T>) => work() }
  const scheduler = new Scheduler({ database, log: pino({ level: 'silent' }) })
  for (const name of ['a', 'b', 'c', 'd'])
    scheduler.add({
      name,
      everyMinutes: 60,
      async run(signal) {
        begun.push(name)
        await once(signal, 'abort')
      },
    })
  scheduler.start()
  await expect.poll(() => begun).toEqual(['a', 'b'])
  await scheduler.stop()
  expect(begun).toEqual(['a', 'b'])
})
