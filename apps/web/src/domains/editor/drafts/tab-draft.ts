import { type Draft, createDraft } from './draft.ts'
import { NOBODY } from '../../session/data-owner.ts'
import { randomId } from '../../../lib/random-id.ts'
import { draftOwner, inheritedOwners, ownersHere } from '../../session/session-owner.ts'
import { readStored, readStoredJson, storedKeys, writeStored } from '../../../lib/browser/storage.ts'
import { type Tab, thisTab } from '../../../lib/browser/tab-identity.ts'

/** A draft left by a closed tab. */
export interface OrphanedDraft<T> {
  readonly slot: string
  readonly value: T
  readonly remove: () => void
}

/**
 * A separate draft per tab, so that two tabs with the same page do not overwrite each other's draft. Within a tab,
 * each user has a separate draft. The draft of a visitor passes to the user who logs in.
 */
export interface TabDraft<T> extends Draft<T> {
  /** Key of the draft in localStorage. */
  readonly slot: () => string
  /** Finds drafts of closed tabs that do not belong to other users, latest first. */
  readonly findOrphans: () => Promise<readonly OrphanedDraft<T>[]>
}

interface TabDraftOptions<T> {
  /** Name that all tabs of a page share. */
  name: string
  isValid: (value: unknown) => value is T
  /**
   * Whether the value holds the complete text. A value that only refers to IndexedDB is not moved to another slot,
   * because IndexedDB stores the text under the old slot.
   */
  isWhole?: (value: T) => boolean
  onSaved?: (hasRoom: boolean) => void
  tab?: Tab
}

const savedAtOf = (value: object) =>
  'savedAtMs' in value && typeof value.savedAtMs === 'number' ? value.savedAtMs : 0

/** Returns the key in localStorage. Tab IDs contain no colon. */
const slotOf = (name: string, tabId: string, owner: string) =>
  owner === NOBODY ? `${name}:${tabId}` : `${name}:${tabId}:${owner}`

/** Returns the owner and tab ID of a slot, or `null` for unrelated keys. */
function partsOf(slot: string, name: string): { readonly tabId: string; readonly owner: string } | null {
  if (slot === name) return { tabId: '', owner: NOBODY }
  if (!slot.startsWith(`${name}:`)) return null
  const [tabId = '', ...owner] = slot.slice(name.length + 1).split(':')
  return { tabId, owner: owner.length === 0 ? NOBODY : owner.join(':') }
}

export function createTabDraft<T extends object>(options: TabDraftOptions<T>): TabDraft<T> {
  const { name, isValid, isWhole = () => true, onSaved, tab = thisTab() } = options
  /**
   * Moves an inherited draft to the slot of its new owner. An existing draft in that slot moves to a slot with a random
   * tab ID. It is then found like the draft of a closed tab.
   */
  const take = (from: string, own: string, owner: string) => {
    const value = readStoredJson(from)
    if (!isValid(value) || !isWhole(value)) return
    const before = readStored(own)
    // Without room for a copy, the existing draft stays, and the inherited one stays in its slot.
    if (before !== null && !writeStored(slotOf(name, randomId(), owner), before)) return
    if (writeStored(own, JSON.stringify(value))) writeStored(from, null)
  }
  const slot = () => {
    const owner = draftOwner()
    const own = slotOf(name, tab.id(), owner)
    // A visitor does not inherit other users' drafts.
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
