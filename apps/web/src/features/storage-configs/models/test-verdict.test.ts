import type { StorageFinding, StorageTestResult } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { browserVerdictOf, checksOf, doneIn, verdictOf } from './test-verdict.ts'

const done = { success: true, error: null, note: 'fine' }
const failed = { success: false, error: 'The sentence.\nInvalidAccessKeyId (403)', note: '' }
const untried = { success: false, error: null, note: 'Not tried' }
const result = (steps: object, findings: Partial<StorageFinding>[] = []) =>
  ({
    read: done,
    write: { ...done, uploadTime: 12 },
    cors: done,
    frontendSim: { ...done, totalDuration: 34 },
    ...steps,
    doctor: { findings },
  }) as unknown as StorageTestResult

test('a storage works if all steps succeed and nothing needs to be fixed', () => {
  const wrong = { severity: 'error' } as const
  expect(verdictOf(result({}))).toBe('works')
  expect(verdictOf(result({}, [{ severity: 'warning' }]))).toBe('works')
  expect(verdictOf(result({}, [{ ...wrong, fixed: true }]))).toBe('works')
  expect(verdictOf(result({}, [wrong]))).toBe('partly')
  expect(verdictOf(result({ cors: failed }))).toBe('partly')
  expect(verdictOf(result({ read: failed, write: untried }))).toBe('fails')
})

test('steps describe their error in one line, and skipped steps are marked', () => {
  expect(checksOf(result({ read: failed, cors: untried }))).toEqual([
    { id: 'read', state: 'failed', text: 'The sentence.', tookMs: null },
    { id: 'write', state: 'done', text: 'fine', tookMs: 12 },
    { id: 'cors', state: 'untried', text: 'Not tried', tookMs: null },
    { id: 'upload', state: 'done', text: 'fine', tookMs: 34 },
  ])
})

test('the result of the browser is evaluated separately', () => {
  const fine = doneIn(1000, 500)
  expect(fine).toEqual({ kind: 'done', tookMs: 500, bytesPerSecond: 2000 })
  expect(doneIn(1000, 0)).toMatchObject({ tookMs: 1, bytesPerSecond: 1_000_000 })
  expect(browserVerdictOf({ upload: fine, download: fine, hasEtag: true })).toBe('works')
  expect(browserVerdictOf({ upload: fine, download: fine, hasEtag: false })).toBe('partly')
  expect(browserVerdictOf({ upload: fine, download: { kind: 'changed' }, hasEtag: true })).toBe('partly')
  expect(browserVerdictOf({ upload: { kind: 'blocked' }, download: null, hasEtag: false })).toBe('fails')
})
