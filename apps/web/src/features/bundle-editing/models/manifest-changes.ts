import type { ManifestInput, OwnManifest } from '@dropleaf/contract'

type Item = ManifestInput['items'][number]
/** The parts of a manifest that are compared. */
export type ComparedManifest = Pick<OwnManifest, 'title'> & {
  readonly page?: OwnManifest['page'] | undefined
  readonly items: readonly Item[]
}

export interface ManifestChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Items with the same path, and other contents or another reference mode. */
  readonly replaced: readonly string[]
  /** Items with the same contents and another path. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  readonly isReordered: boolean
  readonly title: { readonly before: string; readonly after: string } | null
  /** Texts of the pages; empty if there is no page. */
  readonly page: { readonly before: string; readonly after: string } | null
  readonly isOtherFormat: boolean
}

/** Identifies the contents of an item. The number of an object is enough, because objects never change. */
function contentsOf({ source }: Item): string {
  if ('object' in source) return `object ${source.object}`
  if ('folder' in source) return `folder ${source.folder.path}`
  return `${source.ref.mode} ${source.ref.path}`
}

/** Matches removed and added items with the same contents. Each item is matched at most once. */
function findRenamed(removed: readonly Item[], added: readonly Item[]) {
  const waiting = Map.groupBy(added, contentsOf)
  return removed.flatMap((item) => {
    const target = waiting.get(contentsOf(item))?.shift()
    return target ? [{ from: item.path, to: target.path }] : []
  })
}

function isOrderDifferent(before: readonly string[], after: readonly string[]): boolean {
  const kept = new Set(after)
  const known = new Set(before)
  const old = before.filter((path) => kept.has(path))
  return after.filter((path) => known.has(path)).some((path, index) => path !== old[index])
}

/** Lists the differences between two manifests. */
export function compareManifests(before: ComparedManifest, after: ComparedManifest): ManifestChanges {
  const old = new Map(before.items.map((item) => [item.path, item]))
  const fresh = new Map(after.items.map((item) => [item.path, item]))
  const removed = before.items.filter(({ path }) => !fresh.has(path))
  const added = after.items.filter(({ path }) => !old.has(path))
  const renamed = findRenamed(removed, added)
  const gone = new Set(renamed.map(({ from }) => from))
  const come = new Set(renamed.map(({ to }) => to))
  const sides = <Value>(find: (manifest: ComparedManifest) => Value) => {
    const values = { before: find(before), after: find(after) }
    return values.before === values.after ? null : values
  }
  return {
    added: added.map(({ path }) => path).filter((path) => !come.has(path)),
    removed: removed.map(({ path }) => path).filter((path) => !gone.has(path)),
    replaced: after.items.flatMap((item) => {
      const earlier = old.get(item.path)
      return earlier && contentsOf(earlier) !== contentsOf(item) ? [item.path] : []
    }),
    renamed,
    isReordered: isOrderDifferent([...old.keys()], [...fresh.keys()]),
    title: sides(({ title }) => title ?? ''),
    page: sides(({ page }) => page?.text ?? ''),
    isOtherFormat: Boolean(before.page && after.page && before.page.type !== after.page.type),
  }
}

export const areSame = (changes: ManifestChanges): boolean =>
  [changes.added, changes.removed, changes.replaced, changes.renamed].every(({ length }) => length === 0) &&
  !changes.isReordered &&
  !changes.isOtherFormat &&
  changes.title === null &&
  changes.page === null
