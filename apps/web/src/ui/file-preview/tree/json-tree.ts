import { findJsonFault } from './json-fault.ts'
import type { TreeRow } from './virtual-tree.tsx'

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

export interface JsonRow extends TreeRow {
  /** Name or number; `null` for the whole. */
  readonly name: string | null
  readonly kind: JsonKind
  /** As it is written, shortened; empty for what has something below it. */
  readonly text: string
  /** Of what has something below it. */
  readonly count: number
}

const TEXT_MAX_CHARACTERS = 400
/** Of the rows of one array or object; more are left out and said to be. */
const OPENED_DEPTH = 2
const OPENED_MAX = 100

/** A number as it is written, where reading it would make another one of it. */
class WrittenNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** Browsers that do not tell what was written answer no third argument. */
const keepWritten = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? new WrittenNumber(context.source)
    : value

/** Long ones, fractions and powers may be written otherwise than they are read; texts without them are read faster. */
const MAY_DIFFER = /\d{16}|\d[.eE]|-0/

function parse(text: string): unknown {
  if (!MAY_DIFFER.test(text)) return JSON.parse(text)
  try {
    return JSON.parse(text, keepWritten)
  } catch {
    // What is very deep can be read, but not gone through again.
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

const childrenOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !(value instanceof WrittenNumber)
    ? Object.entries(value)
    : []

/** What is open at first: the uppermost levels, as far as they are short. */
export function openAtFirst(root: unknown): ReadonlySet<string> {
  const open = new Set<string>()
  const visit = (value: unknown, id: string, depth: number) => {
    const children = childrenOf(value)
    if (children.length === 0 || (depth > 0 && children.length > OPENED_MAX)) return
    open.add(id)
    if (depth + 1 < OPENED_DEPTH)
      for (const [name, child] of children.slice(0, OPENED_MAX)) visit(child, childId(id, name), depth + 1)
  }
  visit(root, '', 0)
  return open
}

const childId = (id: string, name: string) => `${id}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** What is seen of a value while some of what it holds is open. */
export function jsonRows(root: unknown, open: ReadonlySet<string>): readonly JsonRow[] {
  const rows: JsonRow[] = []
  const visit = (value: unknown, o: { name: string | null; id: string; depth: number }) => {
    const { name, id, depth } = o
    const kind = kindOf(value)
    const children = childrenOf(value)
    const isOpen = children.length === 0 ? null : open.has(id)
    const isBranch = kind === 'object' || kind === 'array'
    const written = value instanceof WrittenNumber ? value.source : JSON.stringify(value)
    const text = isBranch ? '' : written.slice(0, TEXT_MAX_CHARACTERS)
    rows.push({ id, depth, name, kind, isOpen, text, count: children.length })
    if (!isOpen) return
    for (const [childName, child] of children)
      visit(child, { name: childName, id: childId(id, childName), depth: depth + 1 })
  }
  visit(root, { name: null, id: '', depth: 0 })
  return rows
}

/** Both from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
}

const placeOf = (text: string, position: number): JsonFault => {
  const before = text.slice(0, position)
  return { line: before.split('\n').length, column: position - before.lastIndexOf('\n') }
}

export type ParsedJson = { readonly root: unknown } | { readonly fault: JsonFault }

/** One value, or one in each line. */
export function parseJson(text: string, isByLine: boolean): ParsedJson {
  const clean = text.replace(/^\uFEFF/, '')
  if (!isByLine) {
    try {
      return { root: parse(clean) }
    } catch {
      return { fault: placeOf(clean, findJsonFault(clean)) }
    }
  }
  const root: unknown[] = []
  for (const [index, line] of clean.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      root.push(parse(line))
    } catch {
      return { fault: { line: index + 1, column: findJsonFault(line) + 1 } }
    }
  }
  return { root }
}
