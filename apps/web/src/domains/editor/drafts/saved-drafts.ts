import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'
import { randomId } from '../../../lib/random-id.ts'
import { draftOwner, ownersHere } from '../../session/session-owner.ts'

/** A text that was replaced, cleared or discarded, stored for a while in IndexedDB. */
export interface SavedDraft {
  readonly id: string
  /** The user who wrote it. */
  readonly owner: string
  /** Identifies the text: the same for all of its drafts. */
  readonly place: string
  /** Shown to the user; empty for a new text. */
  readonly title: string
  readonly text: string
  readonly isMarkdown: boolean
  readonly savedAtMs: number
}

type NewDraft = Omit<SavedDraft, 'id' | 'owner' | 'savedAtMs'>

const KEPT_DAYS = 30
const DAY_MS = 24 * 3600 * 1000
/** Nobody looks through more drafts than this. */
const KEPT_MAX = 50

const table = createBrowserTable<SavedDraft>({ database: 'dropleaf-drafts', table: 'drafts', keyPath: 'id' })

/** Sorts drafts, the latest first, and separates expired ones. */
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
 * The drafts of the current user, including inherited ones, the latest first. Deletes older ones.
 * @throws where the browser stores nothing.
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

/** Stores a text, unless it is blank or already stored. Returns whether it is stored now. */
export async function saveDraft(draft: NewDraft): Promise<boolean> {
  if (draft.text.trim() === '') return false
  try {
    const kept = await listDrafts()
    const same = kept.find(({ place, text }) => place === draft.place && text === draft.text)
    await table.put({ ...draft, id: same?.id ?? randomId(), owner: draftOwner(), savedAtMs: Date.now() })
    return true
  } catch {
    return false
  }
}

export const removeDraft = (id: string): Promise<void> => table.remove(id)

/** Restores a removed draft. @throws where the browser stores nothing. */
export const putBackDraft = (draft: SavedDraft): Promise<void> => table.put(draft)

const currentId = (slot: string) => `current ${slot}`

/**
 * Stores the current text in IndexedDB if it does not fit into localStorage. Returns whether it is stored.
 * @param slot the draft's key in localStorage
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
