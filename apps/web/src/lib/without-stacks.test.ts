import { expect, test } from 'vitest'
import { withoutStacks } from './without-stacks.ts'

test('errors have a stack again once what makes them in advance has come, or has failed to', async () => {
  const limit = Error.stackTraceLimit
  const made = await withoutStacks(() => Promise.resolve(new Error('a sign')))
  expect(made.stack ?? '').not.toContain('without-stacks.test')
  await expect(withoutStacks(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(Error.stackTraceLimit).toBe(limit)
  expect(new Error('later').stack).toContain('without-stacks.test')
})
