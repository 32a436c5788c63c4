import { expect, test } from 'vitest'
import { openingBody } from './opening-body.ts'

test('a share that opens directly, without a PIN, sends neither field', () => {
  expect(openingBody({ opening: 'direct', pin: '' })).toEqual({})
  expect(openingBody({ opening: 'ask', pin: '' })).toEqual({ opening: 'ask' })
  expect(openingBody({ opening: 'ask', pin: '1234' })).toEqual({ opening: 'ask', pin: '1234' })
})
