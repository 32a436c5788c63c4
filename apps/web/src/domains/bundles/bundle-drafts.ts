import { useSyncExternalStore } from 'react'
import { currentOwner, holdForOwner } from '../session/session-owner.ts'
import type { PickedFile } from '../transfers/uploads/picked-files.ts'
import { heldUploads } from '../transfers/uploads/saved-uploads.ts'
import { uploads } from '../transfers/uploads/uploads.ts'
import { BundleDraft, type NewDraft } from './bundle-draft.ts'
import type { Draft } from './draft.ts'
import { type BundleSnapshot, hasHalted } from './bundle-snapshot.ts'
import { noteHomeBundles } from './home-bundles.ts'
import { listSavedBundles } from './saved-bundles.ts'

/** The bundles that this tab is creating, on any page. Their uploads continue when the user opens another page. */

let drafts: readonly Draft[] = []
let snapshots: readonly BundleSnapshot[] | null = null
const listeners = new Set<() => void>()

function changed(): void {
  snapshots = null
  const ofHome = drafts.filter(({ at }) => at === 'home')
  const open = ofHome.find((draft) => !draft.isPublished)
  noteHomeBundles({
    hasAny: ofHome.length > 0,
    openKey: open?.key ?? null,
    isOpenSealed: open?.isSealed ?? null,
  })
  for (const listener of listeners) listener()
}

uploads.subscribe(() => {
  if (drafts.length > 0) changed()
})
uploads.onState((entry) => {
  for (const draft of drafts) draft.noteEntry(entry)
})

export function getBundles(): readonly BundleSnapshot[] {
  snapshots ??= drafts.map((draft) => draft.snapshot())
  return snapshots
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useBundles = (): readonly BundleSnapshot[] =>
  useSyncExternalStore(subscribe, getBundles, getBundles)

export const findBundle = (key: string): Draft | undefined => drafts.find((draft) => draft.key === key)

/** Adds drafts to the list. @param make creates the drafts, which call `onChange` after each change */
export function holdDrafts<Made extends Draft>(
  make: (onChange: () => void) => readonly Made[],
): readonly Made[] {
  const made = make(changed)
  drafts = [...drafts, ...made]
  changed()
  return made
}

/** Adds a bundle to the list. Call {@link BundleDraft.go} to start it. */
export function addBundle(draft: NewDraft): BundleDraft {
  const added = BundleDraft.create(draft, changed)
  holdDrafts(() => [added])
  return added
}

/** Removes a bundle from the list. Discards it on the server unless it is published. */
export function dropBundle(key: string): void {
  const draft = findBundle(key)
  drafts = drafts.filter((other) => other !== draft)
  changed()
  void draft?.drop()
}

/**
 * Waits until a bundle is published or needs an action of the user. @returns its last state, or `null` if it was
 * removed
 */
export function whenHalted(key: string): Promise<BundleSnapshot | null> {
  return new Promise((resolve) => {
    const look = () => {
      const bundle = getBundles().find((one) => one.key === key)
      if (bundle && !hasHalted(bundle)) return
      stop()
      resolve(bundle ?? null)
    }
    const stop = subscribe(look)
    look()
  })
}

/** Returns the saved bundles that no tab is creating at present. */
export async function withoutHeld<Saved extends { readonly id: string }>(
  saved: readonly Saved[],
): Promise<Saved[]> {
  const held = await heldUploads()
  const known = new Set(drafts.map(({ id }) => id))
  return saved.filter(({ id }) => !held.has(id) && !known.has(id))
}

/** Restores bundles that a reload or crash has interrupted, except those that another tab is creating. */
export async function restoreBundles(): Promise<void> {
  const broken = await withoutHeld(await listSavedBundles(currentOwner()))
  const restored = holdDrafts((onChange) => broken.map((record) => BundleDraft.restore(record, onChange)))
  // The server has all files of these bundles, so they can be published at once.
  for (const draft of restored) if (draft.snapshot().state === 'publishing') void draft.go()
}

/** Resumes interrupted bundles with newly chosen files. @returns the files that belong to no bundle */
export function provideToBundles(chosen: readonly PickedFile[]): PickedFile[] {
  let others = [...chosen]
  for (const draft of drafts) if (others.length > 0) others = draft.provide(others)
  return others
}

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => {
    for (const draft of drafts) draft.flush()
  })
}

holdForOwner({
  onGone: ({ isLogout }) => {
    for (const draft of drafts) draft.leave({ isForGood: isLogout })
    drafts = []
    changed()
  },
})
