import * as contract from '@dropleaf/contract'
import type { RouteSpec } from '@dropleaf/contract'

/** Every route of the contract, from all features. */
export const allRoutes: readonly RouteSpec[] = Object.entries(contract)
  .filter(([name]) => name.endsWith('Routes'))
  .flatMap(([, routes]) => Object.values(routes as unknown as Record<string, RouteSpec>))

interface SchemaDef {
  readonly shape?: Record<string, unknown>
  readonly innerType?: unknown
}

/** Returns the field names of an object schema, even if the schema is inside optional and nullable wrappers. */
export function fieldsOf(schema: unknown): string[] {
  const def = (schema as { _zod?: { def: SchemaDef } } | undefined)?._zod?.def
  if (def?.shape) return Object.keys(def.shape)
  return def?.innerType === undefined ? [] : fieldsOf(def.innerType)
}

/** Returns the path of a route with the same text, unescaped, in place of every parameter. */
export const pathWith = (spec: RouteSpec, text: string): string =>
  spec.path.replace(/:\w+/g, () => text).replace(/\*$/, () => text)

/** Values that most fields must refuse, including lone surrogates and `__proto__`. */
export const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  '',
  ' ',
  'NaN',
  '-Infinity',
  '9'.repeat(40),
  'a\u0000b',
  '\u0000',
  '\ud800',
  'x\udfff',
  '../../etc/passwd',
  '%00',
  '%2e%2e/x',
  '__proto__',
  "' or 1=1 --",
  '2030-13-45T99:99:99Z',
  '+275760-09-13T00:00:00Z',
  '😀'.repeat(300),
  [],
  [null],
  ['\u0000'],
  {},
  { toString: 1 },
  [[[]]],
]

/** Texts for one segment of a path, percent-encoded or deliberately malformed. */
export const HOSTILE_SEGMENTS: readonly string[] = [
  'unknown-id',
  '00000000-0000-4000-8000-000000000000',
  '%00',
  'a%00b',
  '%',
  '%zz',
  '%E0%A4%A',
  '%ff%fe',
  '%ED%A0%80',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5cwindows',
  '__proto__',
  'constructor',
  "'%20or%201=1%20--",
  '%F0%9F%98%80',
  'a'.repeat(201),
  'a'.repeat(5000),
  'a'.repeat(1_000_000),
  '%61'.repeat(100_000),
]
