import { findJsonFault } from './json-fault.ts'
import { hasRepeated, parseAll, RepeatedMembers } from './json-members.ts'
import type { TreeRow } from './virtual-tree.tsx'

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

export interface JsonRow extends TreeRow {
  /** Name or index; `null` for the root. */
  readonly name: string | null
  readonly kind: JsonKind
  /** The value as JSON, truncated after 400 characters; empty for containers. */
  readonly text: string
  /** Number of direct children of a container. */
  readonly count: number
  /** Whether a sibling has the same name. */
  readonly isRepeated: boolean
}

const TEXT_MAX_CHARACTERS = 400
/** Number of levels that are open at first. */
const OPENED_DEPTH = 2
const OPENED_MAX = 100

/** Holds the source of a number that JavaScript cannot represent exactly. */
class WrittenNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/**
 * Keeps the source text of a number. `context` is missing in browsers that do not pass the source text to revivers.
 */
const keepSource = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? new WrittenNumber(context.source)
    : value

/**
 * Matches text that can contain numbers that JavaScript does not print as written: long numbers, fractions, exponents
 * and `-0`. All other texts are parsed without a reviver, because that is faster.
 */
const MAY_DIFFER = /\d{16}|\d[.eE]|-0/

const isNumber = (value: unknown) => value instanceof WrittenNumber

function readLeaf(written: string): unknown {
  const value: unknown = JSON.parse(written)
  return keepSource('', value, { source: written })
}

interface Read {
  readonly root: unknown
  readonly hasRepeated: boolean
}

/** @throws if the text is not JSON */
function parse(text: string): Read {
  const root = parseOnce(text)
  return hasRepeated(text, root, isNumber)
    ? { root: parseAll(text, readLeaf), hasRepeated: true }
    : { root, hasRepeated: false }
}

function parseOnce(text: string): unknown {
  if (!MAY_DIFFER.test(text)) return JSON.parse(text)
  try {
    return JSON.parse(text, keepSource)
  } catch {
    // Without a reviver, `JSON.parse` accepts values that are nested very deeply.
    return JSON.parse(text)
  }
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null'
  if (value instanceof WrittenNumber) return 'number'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object'
}

function childrenOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (value instanceof RepeatedMembers) return value.members
  return typeof value === 'object' && value !== null && !isNumber(value) ? Object.entries(value) : []
}

interface Child {
  readonly name: string
  readonly value: unknown
  readonly id: string
  readonly isRepeated: boolean
}

/** Yields the children of a value with unique IDs. */
function* addressed(value: unknown, id: string): Generator<Child> {
  const children = childrenOf(value)
  if (!(value instanceof RepeatedMembers)) {
    for (const [name, child] of children)
      yield { name, value: child, id: childId(id, name), isRepeated: false }
    return
  }
  const counts = new Map<string, number>()
  for (const [name] of children) counts.set(name, (counts.get(name) ?? 0) + 1)
  const seen = new Map<string, number>()
  for (const [name, child] of children) {
    const number = (seen.get(name) ?? 0) + 1
    seen.set(name, number)
    // The suffix is unambiguous, because `~` is escaped in names.
    const own = number === 1 ? '' : `~${number}`
    const isRepeated = (counts.get(name) ?? 0) > 1
    yield { name, value: child, id: `${childId(id, name)}${own}`, isRepeated }
  }
}

/** Returns the containers that are open at first: the root, and the containers directly below it that are not long. */
export function openAtFirst(root: unknown): ReadonlySet<string> {
  const open = new Set<string>()
  const visit = (value: unknown, id: string, depth: number) => {
    const children = childrenOf(value)
    if (children.length === 0 || (depth > 0 && children.length > OPENED_MAX)) return
    open.add(id)
    if (depth + 1 < OPENED_DEPTH)
      for (const child of [...addressed(value, id)].slice(0, OPENED_MAX))
        visit(child.value, child.id, depth + 1)
  }
  visit(root, '', 0)
  return open
}

const childId = (id: string, name: string) => `${id}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

export function jsonRows(root: unknown, open: ReadonlySet<string>): readonly JsonRow[] {
  const rows: JsonRow[] = []
  const visit = (value: unknown, o: Omit<JsonRow, 'kind' | 'text' | 'count' | 'isOpen'>) => {
    const { name, id, depth, isRepeated } = o
    const kind = kindOf(value)
    const children = childrenOf(value)
    const isOpen = children.length === 0 ? null : open.has(id)
    const isBranch = kind === 'object' || kind === 'array'
    const written = value instanceof WrittenNumber ? value.source : isBranch ? '' : JSON.stringify(value)
    const text = written.slice(0, TEXT_MAX_CHARACTERS)
    rows.push({ id, depth, name, kind, isOpen, text, count: children.length, isRepeated })
    if (!isOpen) return
    for (const child of addressed(value, id))
      visit(child.value, { name: child.name, id: child.id, depth: depth + 1, isRepeated: child.isRepeated })
  }
  visit(root, { name: null, id: '', depth: 0, isRepeated: false })
  return rows
}

/** Position at which the JSON is invalid. `line` and `column` start at 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
}

const placeOf = (text: string, position: number): JsonFault => {
  const before = text.slice(0, position)
  return { line: before.split('\n').length, column: position - before.lastIndexOf('\n') }
}

export type ParsedJson = Read | { readonly fault: JsonFault }

/** Parses a single value, or one value per line. */
export function parseJson(text: string, isByLine: boolean): ParsedJson {
  const clean = text.replace(/^\uFEFF/, '')
  if (!isByLine) {
    try {
      return parse(clean)
    } catch {
      return { fault: placeOf(clean, findJsonFault(clean)) }
    }
  }
  const root: unknown[] = []
  let isAnyRepeated = false
  for (const [index, line] of clean.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      const read = parse(line)
      root.push(read.root)
      isAnyRepeated ||= read.hasRepeated
    } catch {
      return { fault: { line: index + 1, column: findJsonFault(line) + 1 } }
    }
  }
  return { root, hasRepeated: isAnyRepeated }
}
