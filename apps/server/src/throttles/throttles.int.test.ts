import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '../testing/app.ts'

describeEachDatabase('throttles', ({ startApp }) => {
  const LIMIT = 10
  const rulesFor = (address: string) => [
    { key: `share:${address}`, limit: 3, windowSeconds: 60 },
    { key: 'share', limit: LIMIT, windowSeconds: 60 },
  ]

  test('no burst exceeds a limit, from any number of addresses', async () => {
    await using t = await startApp()
    let guesses = 0
    const all = Array.from({ length: 60 }, (_, address) =>
      t.ctx.throttles.guess(rulesFor(String(address)), async () => {
        guesses += 1
        await turn()
        return false
      }),
    )
    const ends = await Promise.allSettled(all)
    expect(guesses).toBe(LIMIT)
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(60 - LIMIT)
  })

  test('correct attempts are not counted, and concurrent ones do not wait for each other', async () => {
    await using t = await startApp()
    let [now, most] = [0, 0]
    const areTwo = Promise.withResolvers<void>()
    const guess = (address: number) =>
      t.ctx.throttles.guess(rulesFor(String(address)), async () => {
        now += 1
        most = Math.max(most, now)
        if (now === 2) areTwo.resolve()
        await areTwo.promise
        now -= 1
        return true
      })
    const few = await Promise.all(Array.from({ length: LIMIT }, (_, address) => guess(address)))
    expect([few.every(Boolean), most > 1]).toEqual([true, true])
    const many = await Promise.all(Array.from({ length: 3 * LIMIT }, (_, address) => guess(address)))
    expect(many.every(Boolean)).toBe(true)
  })
})
