import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, test } from 'vitest'
import { KEPT_MS, LIMITS } from './answer-rules.ts'
import { findAnswer, forgetAnswer, cacheAnswer, removeExcess, removeOthers } from './answers.ts'
import { createOfflineDatabase } from '../database.ts'
import { identityOf, VISITOR } from './identity.ts'

const nowMs = Date.parse('2030-01-01T00:00:00Z')
const open = () => createOfflineDatabase({ indexedDB: new IDBFactory(), IDBKeyRange })
const paste = (slug: string, fields = {}) => JSON.stringify({ slug, content: `text of ${slug}`, ...fields })
const place = (key: string) => ({ table: 'pastes', key }) as const

type Database = ReturnType<typeof open>

const keep = (database: Database, slug: string, { owner = VISITOR, at = nowMs, fields = {} } = {}) =>
  cacheAnswer(database, place(slug), {
    owner,
    text: paste(slug, fields),
    contentType: 'application/json',
    nowMs: at,
  })

describe('kept answers', () => {
  test('an answer is found by its own identity only', async () => {
    const database = open()
    const [admin, other] = await Promise.all([identityOf('Bearer one'), identityOf('Bearer two')])
    await keep(database, 'a', { owner: admin })
    expect(await findAnswer(database, place('a'), { owner: admin, nowMs })).toMatchObject({
      body: paste('a'),
      cachedAtMs: nowMs,
    })
    expect(await findAnswer(database, place('a'), { owner: other, nowMs })).toBeNull()
    expect(await findAnswer(database, place('a'), { owner: VISITOR, nowMs })).toBeNull()
    expect(await identityOf(null)).toBe(VISITOR)
  })

  test('nothing is found after seven days', async () => {
    const database = open()
    await keep(database, 'a')
    expect(await findAnswer(database, place('a'), { owner: VISITOR, nowMs: nowMs + KEPT_MS })).toBeNull()
  })

  test('the copy of a text is deleted when the text gets a password', async () => {
    const database = open()
    await keep(database, 'a')
    expect(await keep(database, 'a', { fields: { hasPassword: true } })).toBe(false)
    expect(await findAnswer(database, place('a'), { owner: VISITOR, nowMs })).toBeNull()
  })

  test('a forgotten response is deleted', async () => {
    const database = open()
    await keep(database, 'a')
    await forgetAnswer(database, place('a'), VISITOR)
    expect(await findAnswer(database, place('a'), { owner: VISITOR, nowMs })).toBeNull()
  })

  test('above the limit the oldest are deleted', async () => {
    const database = open()
    const { count } = LIMITS.pastes
    const text = paste('x')
    await database.pastes.bulkAdd(
      Array.from({ length: count + 3 }, (_, index) => ({
        owner: VISITOR,
        key: `p${index}`,
        body: text,
        contentType: 'application/json',
        sizeBytes: text.length,
        cachedAtMs: nowMs + index,
        expiresAtMs: nowMs + KEPT_MS,
      })),
    )
    await removeExcess(database, { nowMs: nowMs + count })
    expect(await database.pastes.count()).toBe(count)
    expect(await findAnswer(database, place('p2'), { owner: VISITOR, nowMs })).toBeNull()
    expect(await findAnswer(database, place('p3'), { owner: VISITOR, nowMs })).not.toBeNull()
  })

  test('for a new user only their own responses and those of visitors stay', async () => {
    const database = open()
    await keep(database, 'mine', { owner: 'me' })
    await keep(database, 'theirs', { owner: 'them' })
    await keep(database, 'public')
    await removeOthers(database, 'me')
    expect((await database.pastes.toArray()).map(({ key }) => key).toSorted()).toEqual(['mine', 'public'])
  })
})
