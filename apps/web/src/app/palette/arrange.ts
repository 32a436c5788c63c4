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
  /** Search results of the server. */
  readonly found: readonly PaletteItem[]
  readonly recent: readonly RecentItem[]
}

/** Restores a recent item; empty if the item is no longer available. */
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
 * Groups of the palette. The best match is the first item. Results of the server follow local results. With an empty
 * query, recent items come first and are not repeated.
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

/** Returns the stored form of a chosen item. A command has no URL, because its id identifies it. */
export const asRecent = (item: PaletteItem): RecentItem => ({
  id: item.id,
  title: titleOf(item),
  detail: item.detail,
  path: item.act.kind === 'open' ? item.act.path : null,
})
