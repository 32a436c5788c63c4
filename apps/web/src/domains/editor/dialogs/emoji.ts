import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { EMOJI_GROUPS } from './emoji-data.gen.ts'

export interface Emoji {
  readonly character: string
  readonly code: string
  /** Name first, then keywords. */
  readonly english: readonly string[]
  readonly chinese: readonly string[]
}

export type EmojiNames = 'english' | 'chinese'

export type EmojiGroup = keyof typeof EMOJI_GROUPS

function readEmoji(line: string): Emoji {
  const [character = '', code = '', english = '', chinese = ''] = line.split('|')
  return { character, code, english: english.split(','), chinese: chinese.split(',') }
}

export const emojiGroups: readonly { readonly group: EmojiGroup; readonly emoji: readonly Emoji[] }[] =
  Object.entries(EMOJI_GROUPS).map(([group, lines]) => ({
    group: group as EmojiGroup,
    emoji: lines.split(';').map(readEmoji),
  }))

const ALL = emojiGroups.flatMap(({ emoji }) => emoji)

/** Ranks a match: a lower number is better, `null` is no match. */
function distance({ code, english, chinese }: Emoji, query: string): number | null {
  if (code === query || english[0] === query || chinese[0] === query) return 0
  const names = [code, ...english, ...chinese]
  if (names.some((name) => name === query)) return 1
  if (code.startsWith(query) || names.some((name) => name.startsWith(query))) return 2
  return names.some((name) => name.includes(query)) ? 3 : null
}

/**
 * Finds emoji whose short code, name or keywords contain the query, in English or Chinese. The best match comes first.
 */
export function findEmoji(query: string, limit: number): readonly Emoji[] {
  const word = query.trim().toLowerCase().replaceAll(':', '')
  if (word === '') return []
  return ALL.flatMap((emoji) => {
    const rank = distance(emoji, word)
    return rank === null ? [] : [{ emoji, rank }]
  })
    .sort((one, other) => one.rank - other.rank)
    .slice(0, limit)
    .map(({ emoji }) => emoji)
}

const SHOWN = 12

/** Completes input such as `:smi` and `:笑`. */
export function completeEmoji(context: CompletionContext, names: EmojiNames): CompletionResult | null {
  const before = context.matchBefore(/(?<![\p{L}\p{N}:/])[:：][\p{L}\p{N}_+-]{1,30}$/u)
  if (!before) return null
  const found = findEmoji(before.text.slice(1), SHOWN)
  return {
    from: before.from,
    filter: false,
    options: found.map((emoji) => ({
      label: `:${emoji.code}:`,
      displayLabel: `${emoji.character} ${emoji[names][0] ?? emoji.code}`,
      apply: emoji.character,
    })),
  }
}
