import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'
import { randomId } from '../../../lib/random-id.ts'
import { draftOwner, ownersHere } from '../../session/session-owner.ts'

/**
 * A replaced, cleared or discarded text, or a current text that does not fit into localStorage. Stored in IndexedDB for
 * a limited time.
 */
export interface SavedDraft {
  readonly id: string
  /** User who wrote the text. */
  readonly owner: string
  /** Identifies the text; all drafts of a text have the same value. */
  readonly place: string
  /** Title shown to the user; empty for a new text. */
  readonly title: string
  readonly text: string
  readonly isMarkdown: boolean
  readonly savedAtMs: number
}

type NewDraft = Omit<SavedDraft, 'id' | 'owner' | 'savedAtMs'>

const KEPT_DAYS = 30
const DAY_MS = 24 * 3600 * 1000
const KEPT_MAX = 50

const table = createBrowserTable<SavedDraft>({ database: 'dropleaf-drafts', table: 'drafts', keyPath: 'id' })

/** Sorts drafts by age, latest first, and separates drafts that are expired or exceed the maximum number. */
export function sortDrafts(
  drafts: readonly SavedDraft[],
  nowMs: number,
): { readonly kept: readonly SavedDraft[]; readonly gone: readonly SavedDraft[] } {
  const sorted = drafts.toSorted((one, other) => other.savedAtMs - one.savedAtMs)
  const isRetained = ({ savedAtMs }: SavedDraft, index: number) =>
    index < KEPT_MAX && nowMs - savedAtMs < KEPT_DAYS * DAY_MS
  return {
    kept: sorted.filter(isRetained),
    gone: sorted.filter((draft, index) => !isRetained(draft, index)),
  }
}

/**
 * Lists the drafts of the current user, latest first. Includes drafts that the user has inherited. Deletes drafts that
 * are expired or exceed the maximum number.
 * @throws if the browser's storage is not available.
 */
export async function listDrafts(): Promise<readonly SavedDraft[]> {
  const owners = ownersHere()
  const drafts = await table.getAll()
  const { kept, gone } = sortDrafts(
    drafts.filter(({ owner }) => owners.has(owner)),
    Date.now(),
  )
  await Promise.all(gone.map(({ id }) => table.remove(id)))
  return kept
}

const CURRENT = 'current '
const currentId = (slot: string) => `${CURRENT}${slot}`
/**
 * Whether the ID is that of the current text of an editor. This record changes with the editor's text and is deleted
 * later, so a draft must not reuse it.
 */
const isCurrent = (id: string) => id.startsWith(CURRENT)

/**
 * Stores a text unless it is blank. Replaces an earlier draft with the same text and place.
 * @returns whether the text is stored now; `false` for a blank text
 */
export async function saveDraft(draft: NewDraft): Promise<boolean> {
  if (draft.text.trim() === '') return false
  try {
    const kept = await listDrafts()
    const same = kept.find(
      ({ id, place, text }) => !isCurrent(id) && place === draft.place && text === draft.text,
    )
    await table.put({ ...draft, id: same?.id ?? randomId(), owner: draftOwner(), savedAtMs: Date.now() })
    return true
  } catch {
    return false
  }
}

export const removeDraft = (id: string): Promise<void> => table.remove(id)

/**
 * Restores a removed draft.
 * @throws if the browser's storage is not available.
 */
export const putBackDraft = (draft: SavedDraft): Promise<void> => table.put(draft)

/**
 * Stores the current text in IndexedDB, for texts that do not fit into localStorage.
 * @param slot the draft's key in localStorage
 * @returns whether the text is stored
 */
export async function storeCurrent(slot: string, draft: NewDraft): Promise<boolean> {
  try {
    await table.put({ ...draft, id: currentId(slot), owner: draftOwner(), savedAtMs: Date.now() })
    return true
  } catch {
    return false
  }
}

export const findCurrent = (slot: string): Promise<SavedDraft | undefined> =>
  table.get(currentId(slot)).catch(() => undefined)

export const forgetCurrent = (slot: string): Promise<void> =>
  table.remove(currentId(slot)).catch(() => undefined)
