import { afterEach, expect, test, vi } from 'vitest'
import { errors } from '../locales/en-US/errors.ts'
import { ApiError } from '../lib/api-error.ts'
import { errorText } from './error-text.ts'
import { i18n } from './i18n.ts'

afterEach(() => vi.unstubAllGlobals())

test('a server that does not respond is distinguished from a missing connection', async () => {
  await i18n.init({ lng: 'en-US', resources: { 'en-US': { translation: { errors } } } })
  const failure = new ApiError({ kind: 'network', code: 'client.network', message: 'Failed to fetch' })
  vi.stubGlobal('navigator', { onLine: false })
  expect(errorText(failure)).toBe(errors.client.network)
  vi.stubGlobal('navigator', { onLine: true })
  expect(errorText(failure)).toBe(errors.client.unreachable)
})
