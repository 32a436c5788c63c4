import { describe, expect, test } from 'vitest'
import { INSTALL_AGAIN_MS, installOffer, isPostponed, isUpdateDue, LOOK_FIRST_MS } from './offers.ts'

const nowMs = Date.parse('2030-01-08T00:00:00Z')
const facts = {
  nowMs,
  ageMs: 0,
  isUsed: true,
  dismissedAtMs: null,
  isInstalled: false,
  hasPrompt: true,
  isByHand: false,
}

describe('the offer to install', () => {
  test('is shown if the browser can install the app, or the user can do it manually', () => {
    expect(installOffer(facts)).toBe('prompt')
    expect(installOffer({ ...facts, hasPrompt: false })).toBeNull()
    expect(installOffer({ ...facts, hasPrompt: false, isByHand: true })).toBe('by-hand')
  })

  test('is shown only after the page was used, or visible for a while', () => {
    expect(installOffer({ ...facts, isUsed: false, ageMs: LOOK_FIRST_MS - 1 })).toBeNull()
    expect(installOffer({ ...facts, isUsed: false, ageMs: LOOK_FIRST_MS })).toBe('prompt')
  })

  test('is not shown if the app is installed', () => {
    expect(installOffer({ ...facts, isInstalled: true })).toBeNull()
  })

  test('is not shown for seven days after it was declined', () => {
    expect(installOffer({ ...facts, dismissedAtMs: nowMs - INSTALL_AGAIN_MS + 1 })).toBeNull()
    expect(installOffer({ ...facts, dismissedAtMs: nowMs - INSTALL_AGAIN_MS })).toBe('prompt')
  })

  test('is shown again if the clock was set back by years', () => {
    expect(installOffer({ ...facts, dismissedAtMs: nowMs + 2 * INSTALL_AGAIN_MS })).toBe('prompt')
  })
})

describe('the offer of an update', () => {
  test('is not repeated for an hour, except for another version', () => {
    const postponed = { version: 'one', atMs: nowMs }
    expect(isUpdateDue('one', null, nowMs)).toBe(true)
    expect(isUpdateDue('one', postponed, nowMs + 3_599_999)).toBe(false)
    expect(isUpdateDue('one', postponed, nowMs + 3_600_000)).toBe(true)
    expect(isUpdateDue('two', postponed, nowMs + 1)).toBe(true)
  })

  test('a stored postponement is validated', () => {
    expect(isPostponed({ version: 'one', atMs: 1 })).toBe(true)
    expect([null, 'one', {}, { version: 1, atMs: 1 }, { version: 'one', atMs: '1' }].some(isPostponed)).toBe(
      false,
    )
  })
})
