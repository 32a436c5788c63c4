import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const RULES = join(import.meta.dirname, '../../../../.oxlintrc.json')

test('the linter keeps every feature from being imported by the others', () => {
  const rules = readFileSync(RULES, 'utf8')
  const features = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  )
  expect(features.length).toBeGreaterThan(10)
  const patterns = features.flatMap(({ name }) => [`"../${name}/**"`, `"../../${name}/**"`])
  expect(patterns.filter((pattern) => !rules.includes(pattern))).toEqual([])
})
