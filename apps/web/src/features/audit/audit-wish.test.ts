import { expect, test } from 'vitest'
import { wishOf } from './audit-wish.ts'

test('a period begins at midnight of the reader, and holds today', () => {
  const now = new Date(2030, 2, 3, 14, 5)
  expect(wishOf({ period: 'today' }, now).from).toBe(new Date(2030, 2, 3).toISOString())
  expect(wishOf({ period: 'week' }, now).from).toBe(new Date(2030, 1, 25).toISOString())
  expect(wishOf({ period: 'month' }, now).from).toBe(new Date(2030, 1, 2).toISOString())
})

test('what makes no sense narrows nothing', () => {
  expect(wishOf({ action: 'made.up', state: 'x', period: 'toString' })).toEqual({
    actor: undefined,
    action: undefined,
    outcome: undefined,
    from: undefined,
  })
  expect(wishOf({ creator: 'apikey:7', action: 'text.create', state: 'refused' })).toMatchObject({
    actor: 'apikey:7',
    action: 'text.create',
    outcome: 'refused',
  })
})
