import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from './data-dir-lock.ts'

let parent = ''
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'dropleaf-lock-'))
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

test('a data folder has one holder at a time, and only its owner has access', () => {
  const folder = join(parent, 'data')
  const first = lockDataDir(folder)
  expect(() => lockDataDir(folder)).toThrow(/Another Dropleaf is running on the data folder/)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  first.release()
  lockDataDir(folder).release()
})
