import { FAILSAFE_SCHEMA, load, realMapTag } from 'js-yaml'

/** This schema keeps values such as `1.10` and `2026-11-22` as strings. */
const schema = FAILSAFE_SCHEMA.withTags(realMapTag)

const BLOCK = /^(?:\uFEFF)?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const MAX_CHARACTERS = 100_000
const MAX_DEPTH = 20
/** Maximum number of names and values. YAML aliases can repeat a list many times. */
const MAX_FACTS = 2000

export interface FrontMatter {
  /** Names and values; `null` if the YAML is invalid, is not a map, or has too many values. */
  readonly facts: readonly (readonly [name: string, value: string])[] | null
  readonly source: string
  /** Length of the block, including its delimiters. */
  readonly length: number
}

class TooMuch extends Error {
  override name = 'TooMuch'
}

/** Formats a value in one line: lists with commas, maps as `name: value`. */
function show(value: unknown, count: () => void): string {
  count()
  if (value instanceof Map) {
    return [...value].map(([name, inner]) => `${show(name, count)}: ${show(inner, count)}`).join('; ')
  }
  if (Array.isArray(value)) return value.map((inner) => show(inner, count)).join(', ')
  return typeof value === 'string' ? value : ''
}

function factsOf(source: string): FrontMatter['facts'] {
  try {
    const value: unknown = load(source, { schema, maxDepth: MAX_DEPTH })
    if (!(value instanceof Map)) return null
    let left = MAX_FACTS
    const count = () => {
      left -= 1
      if (left < 0) throw new TooMuch('More than is shown.')
    }
    return [...value].map(([name, inner]) => [show(name, count), show(inner, count)])
  } catch {
    // Invalid YAML is shown as source.
    return null
  }
}

/** Finds the YAML block between `---` lines at the start of a text. Returns `null` if there is none. */
export function findFrontMatter(text: string): FrontMatter | null {
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(text)) return null
  const found = BLOCK.exec(text.slice(0, MAX_CHARACTERS))
  const source = found?.[1] ?? ''
  // Without a name and a colon, `---` is a horizontal rule above text.
  if (!found || !/^\s*(?:#.*\n\s*)*["']?[\w\p{L}][^\n]*:(?:\s|$)/u.test(source)) return null
  return { facts: factsOf(source), source, length: found[0].length }
}
