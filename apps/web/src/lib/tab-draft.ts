import { type Draft, createDraft } from './draft.ts'
import { readStoredJson, storedKeys, writeStored } from './storage.ts'
import { type Tab, thisTab } from './this-tab.ts'

/** What a tab has left behind that is no longer there. */
export interface OrphanedDraft<T> {
  readonly slot: string
  readonly value: T
  readonly remove: () => void
}

/** A draft that every tab has for itself: two tabs with the same page do not write over each other's. */
export interface TabDraft<T> extends Draft<T> {
  /** Its place in the small storage of the browser. */
  readonly slot: () => string
  /** Those that belong to no tab any more, the latest first. */
  readonly findOrphans: () => Promise<readonly OrphanedDraft<T>[]>
}

interface TabDraftOptions<T> {
  /** The same for all that is written at this place. */
  name: string
  isValid: (value: unknown) => value is T
  onSaved?: (hasRoom: boolean) => void
  tab?: Tab
}

const savedAtOf = (value: object) =>
  'savedAtMs' in value && typeof value.savedAtMs === 'number' ? value.savedAtMs : 0

export function createTabDraft<T extends object>(options: TabDraftOptions<T>): TabDraft<T> {
  const { name, isValid, onSaved, tab = thisTab() } = options
  const slot = () => `${name}:${tab.id()}`
  const draft = createDraft<T>({ key: slot, isValid, ...(onSaved && { onSaved }) })
  return {
    ...draft,
    slot,
    save: (make) =>
      draft.save(() => {
        const value = make()
        return value && { ...value, savedAtMs: Date.now() }
      }),
    findOrphans: async () => {
      const others = await tab.findOthers()
      const isOrphaned = (key: string) =>
        (key === name || key.startsWith(`${name}:`)) &&
        key !== slot() &&
        !others.has(key.slice(name.length + 1))
      return storedKeys()
        .filter(isOrphaned)
        .flatMap((key) => {
          const value = readStoredJson(key)
          return isValid(value) ? [{ slot: key, value, remove: () => void writeStored(key, null) }] : []
        })
        .toSorted((one, other) => savedAtOf(other.value) - savedAtOf(one.value))
    },
  }
}
