import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'
import { randomId } from '../../../lib/random-id.ts'
import { draftOwner, ownersHere } from '../../session/session-owner.ts'

/** A text that was replaced, cleared or given up, kept for a while in the database of the browser. */
export interface SavedDraft {
  readonly id: string
  /** Who has written it. */
  readonly owner: string
  /** Which text it was: the same for all that was kept of it. */
  readonly place: string
  /** What a person knows it by; empty for a new text. */
  readonly title: string
  readonly text: string
  readonly isMarkdown: boolean
  readonly savedAtMs: number
}

type NewDraft = Omit<SavedDraft, 'id' | 'owner' | 'savedAtMs'>

const KEPT_DAYS = 30
const DAY_MS = 24 * 3600 * 1000
/** More than anybody looks through. */
const KEPT_MAX = 50

const table = createBrowserTable<SavedDraft>({ database: 'dropleaf-drafts', table: 'drafts', keyPath: 'id' })

/** Those to keep, the latest first, and those whose time is over. */
export function sortDrafts(
  drafts: readonly SavedDraft[],
  nowMs: number,
): { readonly kept: readonly SavedDraft[]; readonly gone: readonly SavedDraft[] } {
  const sorted = drafts.toSorted((one, other) => other.savedAtMs - one.savedAtMs)
  const isKept = ({ savedAtMs }: SavedDraft, index: number) =>
    index < KEPT_MAX && nowMs - savedAtMs < KEPT_DAYS * DAY_MS
  return {
    kept: sorted.filter(isKept),
    gone: sorted.filter((draft, index) => !isKept(draft, index)),
  }
}

/**
 * The kept drafts of whoever is here, and those they inherit, the latest first; older ones go.
 * @throws where the browser keeps nothing.
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

/** Stores a text, once; blank ones are ignored. Returns whether it is stored. */
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

/** Puts one back that was removed, as it was. @throws where the browser keeps nothing. */
export const putBackDraft = (draft: SavedDraft): Promise<void> => table.put(draft)

const currentId = (slot: string) => `current ${slot}`

/**
 * Keeps what is being written where the small storage of the browser has no room for it. Answers whether it is kept.
 * @param slot where the small storage would have it
 */
export async function keepCurrent(slot: string, draft: NewDraft): Promise<boolean> {
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
