import { BACKUP_KINDS } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { findPassphraseProblem, readHeader } from './backup-form.ts'

test('a passphrase is optional, must not be short, and is typed twice', () => {
  expect(findPassphraseProblem('', '')).toBeNull()
  expect(findPassphraseProblem('short', 'short')).toBe('tooShort')
  expect(findPassphraseProblem('long enough this is', 'long enough this')).toBe('different')
  expect(findPassphraseProblem('', 'typed')).toBe('different')
  expect(findPassphraseProblem('long enough this is', 'long enough this is')).toBeNull()
})

test('the first line identifies a backup file', () => {
  const header = {
    format: 'dropleaf-backup',
    version: 1,
    product: '1.0.0',
    created_at: '2030-01-01T00:00:00.000Z',
    counts: Object.fromEntries(BACKUP_KINDS.map((kind) => [kind, 2])),
    has_secrets: false,
    kdf: null,
  }
  expect(readHeader(`${JSON.stringify(header)}\n{}`)).toEqual(header)
  expect(readHeader(JSON.stringify({ ...header, version: 9 }))).toBe('version_unknown')
  expect(readHeader(JSON.stringify({ ...header, counts: null }))).toBe('not_a_backup')
  for (const text of ['', 'null', '[]', 'PK\u0003', '{"format":"other"}'])
    expect(readHeader(text)).toBe('not_a_backup')
})
