import { holdDrafts, withoutHeld } from '../../bundles/bundle-drafts.ts'
import { currentOwner } from '../../session/session-owner.ts'
import { listSavedSealed } from './saved-sealed.ts'
import { type NewSealedDraft, SealedDraft } from './sealed-draft.ts'
import { stayAwakeWhileSending } from './wake-lock.ts'

/** Adds an encrypted bundle to the list of bundles. Call {@link SealedDraft.go} to start it. */
export function addSealedBundle(draft: NewSealedDraft): SealedDraft {
  stayAwakeWhileSending()
  const [added] = holdDrafts((onChange) => [SealedDraft.create(draft, onChange)])
  if (!added) throw new Error('The draft was not added.')
  return added
}

/** Restores encrypted bundles that a reload or crash has interrupted, except those that another tab is creating. */
export async function restoreSealedBundles(): Promise<void> {
  const broken = await withoutHeld(await listSavedSealed(currentOwner()))
  if (broken.length === 0) return
  stayAwakeWhileSending()
  const restored = holdDrafts((onChange) => broken.map((saved) => SealedDraft.restore(saved, onChange)))
  // The server has all files of these bundles, so they can be published at once.
  for (const draft of restored) if (draft.snapshot().state === 'publishing') void draft.go()
}
