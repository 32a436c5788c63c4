import * as fc from 'fast-check'

/** The part of JSON Schema that the OpenAPI document uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
}

/** Common numbers, and numbers that no client should send. */
const NUMBERS = [1, 2, 5, 10, 20, 1, 2, 0, 1000, -1, 0.5, 2 ** 31, 2 ** 53]
/**
 * Maximum number of optional fields in most generated objects. With more optional fields, the server rejects almost
 * every generated value.
 */
const MAX_OPTIONAL = 3

function valueOfType(type: string, schema: JsonSchema, words: readonly string[]): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return recordOf(schema, words)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, words), { maxLength: 3 })
    case 'integer':
    case 'number':
      return fc.constantFrom(...NUMBERS)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.constantFrom(...words, '2031-01-01T00:00:00.000Z', '')
  }
}

function recordOf(
  { properties = {}, required = [] }: JsonSchema,
  words: readonly string[],
): fc.Arbitrary<object> {
  const values = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, words)]),
  )
  const needed = required.filter((name) => name in values)
  const optional = Object.keys(values).filter((name) => !needed.includes(name))
  const pick = (names: readonly string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, values[name] ?? fc.constant(null)])))
  const whole = fc
    .subarray(optional, { maxLength: Math.min(MAX_OPTIONAL, optional.length) })
    .chain((some) => pick([...needed, ...some]))
  return fc.oneof({ weight: 3, arbitrary: whole }, fc.record(values, { requiredKeys: [] }))
}

/** Generates values that match a schema, or nearly match it. Texts come from `words`, and any field can be missing. */
export function valuesOf(schema: JsonSchema, words: readonly string[]): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, words)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  const types = [schema.type ?? 'string'].flat()
  return fc.oneof(...types.map((type) => valueOfType(type, schema, words)))
}
