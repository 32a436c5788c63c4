import { expect, test } from 'vitest'
import { auditFilterOf } from './audit-filter.ts'

test('a period begins at midnight in the time zone of the reader, and includes today', () => {
  const now = new Date(2030, 2, 3, 14, 5)
  expect(auditFilterOf({ period: 'today' }, now).from).toBe(new Date(2030, 2, 3).toISOString())
  expect(auditFilterOf({ period: 'week' }, now).from).toBe(new Date(2030, 1, 25).toISOString())
  expect(auditFilterOf({ period: 'month' }, now).from).toBe(new Date(2030, 1, 2).toISOString())
})

test('invalid filters are ignored', () => {
  expect(auditFilterOf({ action: 'made.up', state: 'x', period: 'toString' })).toEqual({
    actor: undefined,
    action: undefined,
    outcome: undefined,
    from: undefined,
  })
  expect(auditFilterOf({ creator: 'apikey:7', action: 'text.create', state: 'refused' })).toMatchObject({
    actor: 'apikey:7',
    action: 'text.create',
    outcome: 'refused',
  })
})
