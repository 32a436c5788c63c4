import type { Token } from 'markdown-it'

/** A list of this many tokens may be cut between its items. */
const LONG_LIST_TOKENS = 400

const copyOf = (token: Token): Token =>
  Object.assign(Object.create(Object.getPrototypeOf(token)) as Token, token)

const isList = ({ type }: Token) => type === 'bullet_list_open' || type === 'ordered_list_open'

/** The list from its item number `item` (from 0) on, which begins anew. */
function reopen(open: Token, item: number): Token {
  const again = copyOf(open)
  again.attrs = open.attrs?.filter(([name]) => name !== 'start') ?? null
  if (open.type === 'ordered_list_open') again.attrSet('start', Number(open.attrGet('start') ?? 1) + item)
  return again
}

function* cutList(tokens: readonly Token[]): Generator<Token[]> {
  const [open, close] = [tokens[0]!, tokens.at(-1)!]
  let part: Token[] = [copyOf(open)]
  let items = 0
  for (const token of tokens.slice(1, -1)) {
    part.push(token)
    if (token.level !== 1 || token.type !== 'list_item_close') continue
    items += 1
    if (part.length < LONG_LIST_TOKENS) continue
    part[0]!.attrSet('class', 'goes-on')
    yield [...part, close]
    part = [reopen(open, items)]
  }
  if (part.length > 1) yield [...part, close]
  else yield []
}

/** The blocks of a text one by one; long lists in several parts. */
export function* cutBlocks(tokens: readonly Token[]): Generator<Token[]> {
  let start = 0
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!
    if (token.level !== 0 || token.nesting === 1) continue
    const block = tokens.slice(start, index + 1)
    start = index + 1
    if (block.length > LONG_LIST_TOKENS && isList(block[0]!)) yield* cutList(block)
    else yield block
  }
}
