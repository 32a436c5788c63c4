import type { StorageDriver } from '@dropleaf/storage'
import type { Tracing } from '../tracing/tracing.ts'

type Call = (...args: readonly unknown[]) => unknown

function wrapping<T extends object>(calls: T, wrap: (name: string, call: Call) => Call): T {
  const entries = Object.entries(calls).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'function' ? wrap(name, value as Call) : value,
  ])
  return { ...calls, ...Object.fromEntries(entries) } as T
}

/**
 * Wraps a driver so that each call is a span with the operation as its name and the provider as an attribute. Spans
 * never contain keys.
 */
export function tracingCalls(
  tracing: Tracing | null,
  provider: string,
  driver: StorageDriver,
): StorageDriver {
  if (tracing === null) return driver
  const facts = { 'dropleaf.storage.provider': provider }
  const wrap =
    (prefix: string) =>
    (name: string, call: Call): Call =>
    (...args) =>
      tracing.step(`${prefix}.${name}`, facts, () => call(...args))
  const { multipart } = driver
  return {
    ...wrapping(driver, wrap('storage')),
    links: driver.links,
    multipart: multipart && wrapping(multipart, wrap('storage.multipart')),
  }
}
