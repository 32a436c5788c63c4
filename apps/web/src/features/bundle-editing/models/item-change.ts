import type { OwnManifestItem } from '@dropleaf/contract'
import type { EditedItem } from './edited-items.ts'

const identify = (source: EditedItem['source']) =>
  'object' in source ? `object ${source.object}` : JSON.stringify(source)

/**
 * Returns the kind of change to an item, or `null`.
 * @param before the published item; `null` for a new item
 */
export function changeOf(
  { path, source }: EditedItem,
  before: OwnManifestItem | null,
): 'isNew' | 'isReplaced' | 'isRenamed' | null {
  if (before === null) return 'isNew'
  const mode = 'ref' in source && 'ref' in before.source
  if (!mode && identify(source) !== identify(before.source)) return 'isReplaced'
  return path === before.path ? null : 'isRenamed'
}
