import { OPENING_KINDS } from '@dropleaf/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { FUZZ_TIMEOUT_MS, fuzzing } from '../../../testing/fuzzing.ts'
import {
  askIntent,
  look,
  newDevice,
  open,
  type OpeningPlace,
  SECRET,
  shareAsking,
} from '../../../testing/opening.ts'

const OPENERS = 500
const ROUNDS = 3

const holds = (text: string) => text.includes(SECRET) || text.includes('"downloadUrl"')

async function intents(t: TestApp, place: OpeningPlace, count: number): Promise<string[]> {
  const asked = await Promise.all(Array.from({ length: count }, () => askIntent(t, place)))
  t.clock.advance({ seconds: 1 })
  return asked.map(({ body }) => body.data.intent as string)
}

describeEachDatabase('many openers', ({ startApp }) => {
  test('of a share of one view: five hundred at once get exactly one content, the others 410', async () => {
    await using t = await startApp()
    for (let round = 0; round < ROUNDS; round += 1) {
      const kind = OPENING_KINDS[round % OPENING_KINDS.length] ?? 'paste'
      const place = { kind, slug: `round-${round}` }
      await shareAsking(t, place)
      const answers = await Promise.all(
        (await intents(t, place, OPENERS)).map((intent) => open(t, place, { intent })),
      )
      const opened = answers.filter(({ status }) => status === 200)
      expect(opened.map(({ text }) => holds(text))).toEqual([true])
      expect(answers.filter(({ text }) => holds(text)).length).toBe(1)
      const others = answers.filter(({ status }) => status !== 200).map(({ status }) => status)
      expect(new Set(others)).toEqual(new Set([410]))
      const [device] = await t.ctx.db.selectFrom('opening_devices').selectAll().execute()
      expect(device).toMatchObject({ share_id: expect.any(String) })
      await t.ctx.db.deleteFrom('opening_devices').execute()
    }
  })

  test('of one device at once: all get the content, for one view', async () => {
    await using t = await startApp()
    for (const kind of OPENING_KINDS) {
      const place = { kind, slug: `a-${kind}` }
      await shareAsking(t, place, { max_views: '2' })
      const device = newDevice()
      const answers = await Promise.all(
        (await intents(t, place, 20)).map((intent) => open(t, place, { intent, device })),
      )
      expect(answers.map(({ status, text }) => [status, holds(text)])).toEqual(answers.map(() => [200, true]))
      expect(await look(t, place)).toMatchObject({ views_left: 1 })
    }
  })
})

/** Describes one use of an intent: the delay before it, the share, and the number of concurrent requests. */
const uses = fc.record({
  waitMs: fc.oneof(
    fc.integer({ min: 0, max: 799 }),
    fc.integer({ min: 800, max: 599_999 }),
    fc.integer({ min: 600_000, max: 2_000_000 }),
  ),
  isForeign: fc.boolean(),
  replays: fc.integer({ min: 1, max: 6 }),
  kind: fc.constantFrom('paste' as const, 'file' as const),
})

describeEachDatabase('intents', ({ startApp }) => {
  test(
    'work once, after 0.8 seconds and within 10 minutes, and only for their own share',
    async () => {
      await using t = await startApp()
      let shares = 0
      await fc.assert(
        fc.asyncProperty(uses, async ({ waitMs, isForeign, replays, kind }) => {
          shares += 1
          const place = { kind, slug: `share-${shares}` }
          const other = { kind, slug: `other-${shares}` }
          await shareAsking(t, place, { max_views: '50' })
          await shareAsking(t, other, { max_views: '50' })
          const intent = (await askIntent(t, place)).body.data.intent as string
          t.clock.advance({ seconds: waitMs / 1000 })
          const target = isForeign ? other : place
          const answers = await Promise.all(
            Array.from({ length: replays }, () => open(t, target, { intent })),
          )
          const good = !isForeign && waitMs >= 800 && waitMs < 600_000
          expect(answers.filter(({ status }) => status === 200).length).toBe(good ? 1 : 0)
          const codes = answers.flatMap(({ body }) => (body.error ? [body.error.code as string] : []))
          const early = !isForeign && waitMs < 800
          expect(codes.filter((code) => code === 'share.too_early').length).toBe(early ? 1 : 0)
          expect(codes.filter((code) => code === 'share.intent_invalid').length).toBe(
            replays - (good || early ? 1 : 0),
          )
          // Each use invalidates the intent, even if it was early or for another share.
          t.clock.advance({ seconds: 2 })
          expect((await open(t, place, { intent })).body.error.code).toBe('share.intent_invalid')
          expect(await look(t, place)).toMatchObject({ views_left: good ? 49 : 50 })
          expect(await look(t, other)).toMatchObject({ views_left: 50 })
        }),
        { ...fuzzing(12) },
      )
    },
    FUZZ_TIMEOUT_MS,
  )

  test('are limited for each network and share', async () => {
    await using t = await startApp()
    const place = { kind: 'paste', slug: 'flooded' } as const
    await shareAsking(t, place)
    const rule = { limit: 1000, windowSeconds: 600 }
    const { id } = await t.ctx.db.selectFrom('pastes').select('id').executeTakeFirstOrThrow()
    for (let count = 0; count < 1000; count += 1)
      await t.ctx.throttles.count([{ ...rule, key: `opening-intent:${id}:127.0.0.1` }])
    const flooded = await askIntent(t, place)
    expect([flooded.status, flooded.headers['retry-after']]).toEqual([429, '600'])
  })
})
