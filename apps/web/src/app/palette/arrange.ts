import { GROUPS, type Group, type PaletteItem, titleOf } from './items.ts'
import { iconOfFound } from './found-items.ts'
import { findMatching } from './match.ts'
import type { RecentItem } from './recent.ts'

export interface ShownGroup {
  readonly group: Group
  readonly items: readonly PaletteItem[]
}

interface Available {
  readonly commands: readonly PaletteItem[]
  /** What the server has found for what was typed. */
  readonly found: readonly PaletteItem[]
  readonly recent: readonly RecentItem[]
}

/** What was chosen before, as far as it can be chosen still. */
function revive({ id, title, detail, path }: RecentItem, commands: readonly PaletteItem[]): PaletteItem[] {
  const command = commands.find((one) => one.id === id)
  if (command) return [{ ...command, group: 'recent' }]
  if (path === null) return []
  const item: PaletteItem = {
    id,
    group: 'recent',
    Icon: iconOfFound(id),
    names: [title],
    also: '',
    detail,
    act: { kind: 'open', path },
  }
  return [item]
}

const groupsOf = (order: readonly Group[], items: readonly PaletteItem[]): readonly ShownGroup[] =>
  order
    .map((group) => ({ group, items: items.filter((item) => item.group === group) }))
    .filter(({ items: own }) => own.length > 0)

/**
 * The lines of the palette by groups. Of what was typed the best match is the first line, and what the server finds comes below
 * what is there at once. While nothing is typed, what was chosen last comes first, and not again further down.
 */
export function arrange(query: string, { commands, found, recent }: Available): readonly ShownGroup[] {
  if (query.trim() === '') {
    const first = recent.flatMap((item) => revive(item, commands))
    const isFirst = new Set(first.map(({ id }) => id))
    const others = [...commands, ...found].filter(({ id }) => !isFirst.has(id))
    return groupsOf(GROUPS, [...first, ...others])
  }
  const matching = findMatching(query, commands)
  const byBest = matching.map(({ group }) => group)
  return groupsOf([...new Set([...byBest, ...GROUPS])], [...matching, ...found])
}

/** What is kept of a choice; what changes something has no address to come back to. */
export const asRecent = (item: PaletteItem): RecentItem => ({
  id: item.id,
  title: titleOf(item),
  detail: item.detail,
  path: item.act.kind === 'open' ? item.act.path : null,
})
