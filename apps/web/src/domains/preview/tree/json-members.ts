import { JSON_TOKEN } from './json-fault.ts'

/** An object in which a name occurs several times. `JSON.parse` would keep only the last member with that name. */
export class RepeatedMembers {
  readonly members: readonly (readonly [name: string, value: unknown])[]
  constructor(members: readonly (readonly [string, unknown])[]) {
    this.members = members
  }
}

const QUOTE = 34
const COLON = 58
const BACKSLASH = 92

/** Returns the end of the string that starts at a quotation mark. */
function endOfText(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
    if ((end - first) % 2 === 0) return end
  }
}

/** Counts the members in the JSON source. */
function countWritten(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === COLON) count += 1
    else if (code === QUOTE) index = endOfText(text, index)
  }
  return count
}

/**
 * Counts the members in the parsed value. Uses a loop instead of recursion, because the nesting can be deeper than
 * the call stack.
 */
function countRead(root: unknown, isLeaf: (value: unknown) => boolean): number {
  let count = 0
  const open = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null || isLeaf(value)) continue
    const values: unknown[] = Object.values(value)
    if (!Array.isArray(value)) count += values.length
    for (const inner of values) if (typeof inner === 'object' && inner !== null) open.push(inner)
  }
  return count
}

/** Whether parsing has lost members with repeated names. */
export const hasRepeated = (text: string, root: unknown, isLeaf: (value: unknown) => boolean): boolean =>
  countWritten(text) > countRead(root, isLeaf)

interface OpenValue {
  readonly members: [string, unknown][] | null
  readonly items: unknown[]
  name: string
}

const isRepeated = (members: readonly (readonly [string, unknown])[]) =>
  new Set(members.map(([name]) => name)).size < members.length

/** Creates an object. `Object.fromEntries` defines even `__proto__` as an ordinary property. */
const toObject = (members: readonly (readonly [string, unknown])[]): unknown =>
  isRepeated(members) ? new RepeatedMembers(members) : Object.fromEntries(members)

/**
 * Parses valid JSON. Keeps all members of an object, even those with repeated names.
 * @param readLeaf converts the JSON source of a string, number, `true`, `false` or `null`
 */
export function parseAll(text: string, readLeaf: (written: string) => unknown): unknown {
  const open: OpenValue[] = [{ members: null, items: [], name: '' }]
  const put = (value: unknown) => {
    const top = open.at(-1)
    if (top?.members) top.members.push([top.name, value])
    else top?.items.push(value)
  }
  let isName = false
  JSON_TOKEN.lastIndex = 0
  for (let match = JSON_TOKEN.exec(text); match; match = JSON_TOKEN.exec(text)) {
    const [, sign, string, word] = match
    const top = open.at(-1)
    if (sign === '{' || sign === '[') open.push({ members: sign === '{' ? [] : null, items: [], name: '' })
    else if (sign === '}' || sign === ']') {
      open.pop()
      put(top?.members ? toObject(top.members) : top?.items)
    } else if (string !== undefined && isName && top) top.name = String(JSON.parse(string))
    else if (sign === undefined) put(readLeaf(string ?? word ?? 'null'))
    isName = sign === '{' || (sign === ',' && open.at(-1)?.members !== null)
  }
  return open[0]?.items[0]
}
