import { type Draft, createDraft } from './draft.ts'
import { NOBODY } from '../../session/data-owner.ts'
import { randomId } from '../../../lib/random-id.ts'
import { draftOwner, inheritedOwners, ownersHere } from '../../session/session-owner.ts'
import { readStored, readStoredJson, storedKeys, writeStored } from '../../../lib/browser/storage.ts'
import { type Tab, thisTab } from '../../../lib/browser/tab-identity.ts'

/** What a tab has left behind that is no longer there. */
export interface OrphanedDraft<T> {
  readonly slot: string
  readonly value: T
  readonly remove: () => void
}

/**
 * A draft that every tab has for itself: two tabs with the same page do not write over each other's. In a tab, everybody has one;
 * what a visitor wrote goes to who logs in.
 */
export interface TabDraft<T> extends Draft<T> {
  /** Its place in the small storage of the browser. */
  readonly slot: () => string
  /** Those that belong to no tab any more and are not somebody else's, the latest first. */
  readonly findOrphans: () => Promise<readonly OrphanedDraft<T>[]>
}

interface TabDraftOptions<T> {
  /** The same for all that is written at this place. */
  name: string
  isValid: (value: unknown) => value is T
  /** Whether a value is all there is of it: another is found by its slot, and stays there. */
  isWhole?: (value: T) => boolean
  onSaved?: (hasRoom: boolean) => void
  tab?: Tab
}

const savedAtOf = (value: object) =>
  'savedAtMs' in value && typeof value.savedAtMs === 'number' ? value.savedAtMs : 0

/** Names of tabs have no colon. */
const slotOf = (name: string, tabId: string, owner: string) =>
  owner === NOBODY ? `${name}:${tabId}` : `${name}:${tabId}:${owner}`

/** Whose a slot is, and which tab's: `null` for what has another name. */
function partsOf(slot: string, name: string): { readonly tabId: string; readonly owner: string } | null {
  if (slot === name) return { tabId: '', owner: NOBODY }
  if (!slot.startsWith(`${name}:`)) return null
  const [tabId = '', ...owner] = slot.slice(name.length + 1).split(':')
  return { tabId, owner: owner.length === 0 ? NOBODY : owner.join(':') }
}

export function createTabDraft<T extends object>(options: TabDraftOptions<T>): TabDraft<T> {
  const { name, isValid, isWhole = () => true, onSaved, tab = thisTab() } = options
  /** Moves what is inherited to its new owner's place; what was there is found as if its tab were gone. */
  const take = (from: string, own: string, owner: string) => {
    const value = readStoredJson(from)
    if (!isValid(value) || !isWhole(value)) return
    const before = readStored(own)
    if (before !== null) writeStored(slotOf(name, randomId(), owner), before)
    if (writeStored(own, JSON.stringify(value))) writeStored(from, null)
  }
  const slot = () => {
    const owner = draftOwner()
    const own = slotOf(name, tab.id(), owner)
    // Nobody inherits what is not over: a visitor has but their own.
    if (owner !== NOBODY)
      for (const other of inheritedOwners()) take(slotOf(name, tab.id(), other), own, owner)
    return own
  }
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
      const own = slot()
      const owners = ownersHere()
      const isOrphaned = (key: string) => {
        const parts = partsOf(key, name)
        if (parts === null || key === own || others.has(parts.tabId)) return false
        return owners.has(parts.owner)
      }
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
