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

/** A driver whose calls are spans, by what they do and the kind of storage: never by keys. */
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
