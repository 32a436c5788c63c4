import { describe, expect, test } from 'vitest'
import {
  guideAt,
  guideLeft,
  isGuideStep,
  isLoopback,
  isNearlyFull,
  stepAfter,
  stepBefore,
  withDone,
  WORK_STEPS,
} from './guide.ts'

test('steps follow each other to the end, and back to the first', () => {
  expect(WORK_STEPS).toEqual(['language', 'password', 'storage', 'share'])
  expect([stepAfter('language'), stepAfter('share'), stepAfter('done')]).toEqual(['password', 'done', 'done'])
  expect([stepBefore('done'), stepBefore('password'), stepBefore('language')]).toEqual([
    'share',
    'language',
    null,
  ])
  expect(['storage', 'done', 'other', undefined].map(isGuideStep)).toEqual([true, true, false, false])
})

describe('stored progress', () => {
  test('a step of an open guide, which stays open until its end', () => {
    expect(guideAt({ state: 'open', done: [] }, 'storage')).toEqual({
      state: 'open',
      step: 'storage',
      done: [],
    })
    expect(guideAt({ state: 'open', done: [] }, 'done')).toEqual({ state: 'done', step: 'done', done: [] })
  })
  test('finished steps, each once, in any order', () => {
    const noted = withDone({ state: 'later', step: 'language', done: [] }, 'language')
    expect(guideAt(withDone(noted, 'language'), 'storage')).toEqual({
      state: 'later',
      step: 'storage',
      done: ['language'],
    })
    expect(guideLeft(noted, 'password').done).toEqual(['language'])
  })
  test('leaving postpones the guide, and a reopened one does not appear automatically again', () => {
    expect(guideLeft({ state: 'open', done: [] }, 'storage')).toEqual({
      state: 'later',
      step: 'storage',
      done: [],
    })
    expect(guideAt({ state: 'later', done: [] }, 'share')).toEqual({
      state: 'later',
      step: 'share',
      done: [],
    })
    expect(guideAt({ state: 'done', done: [] }, 'language')).toEqual({
      state: 'done',
      step: 'language',
      done: [],
    })
    expect(guideLeft({ state: 'done', done: [] }, 'language')).toEqual({
      state: 'done',
      step: 'language',
      done: [],
    })
  })
})

test.each([
  ['localhost', true],
  ['drop.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['192.168.1.5', false],
  ['example.org', false],
  ['localhost.example.org', false],
])('%s is this computer alone: %s', (hostname, expected) => {
  expect(isLoopback(hostname)).toBe(expected)
})

test('a disk is nearly full by its free bytes or its free percentage', () => {
  const gib = 1024 ** 3
  expect(isNearlyFull({ freeBytes: 20 * gib, totalBytes: 100 * gib })).toBe(false)
  expect(isNearlyFull({ freeBytes: gib, totalBytes: 4 * gib })).toBe(true)
  expect(isNearlyFull({ freeBytes: 40 * gib, totalBytes: 1000 * gib })).toBe(true)
})
