import { NOBODY } from '../../session/data-owner.ts'
import { currentOwner } from '../../session/session-owner.ts'
import { directoryOf, restoreMountUploads } from './mount-uploads.ts'
import { heldUploads, listSaved } from './saved-uploads.ts'
import { addLostPicks, getPicks } from './share-picks.ts'
import { restoreShares } from './share-uploads.ts'
import { isUnsent, storeUnsent, takeUnsent } from './unsent-uploads.ts'
import { uploads } from './uploads.ts'

/** Owner of the uploads. While no user is logged in, the value is still the last user. */
let owner = currentOwner()

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => {
    if (currentOwner() !== NOBODY) owner = currentOwner()
    const unsent = uploads.getAll().filter(isUnsent)
    const list = [
      ...unsent.flatMap((entry) => {
        const { batch, name, file } = entry
        // The record of a bundle contains its files.
        return batch.kind === 'bundle'
          ? []
          : [{ kind: batch.kind, directory: directoryOf(entry), name, file }]
      }),
      ...getPicks().map(({ folder, file: { name, size, lastModified } }) => ({
        kind: 'share' as const,
        directory: folder,
        name,
        file: { name, size, lastModified },
      })),
    ]
    if (list.length > 0) storeUnsent(owner, list)
  })
  // The browser has restored the page from the back/forward cache, so the page still has its files.
  window.addEventListener('pageshow', ({ persisted: isBack }) => {
    if (isBack) takeUnsent(owner)
  })
}

/** Restores uploads that a reload or crash interrupted. They wait until the user chooses their files again. */
export async function restoreUploads(): Promise<void> {
  const [saved, held] = await Promise.all([listSaved(currentOwner()), heldUploads()])
  owner = currentOwner()
  const unsent = Map.groupBy(takeUnsent(owner), ({ kind }) => kind)
  const known = new Set(uploads.getAll().map(({ id }) => id))
  const broken = saved.filter(({ id }) => !held.has(id) && !known.has(id))
  restoreMountUploads(
    broken.filter(({ kind }) => kind !== 'share'),
    unsent.get('mount') ?? [],
  )
  restoreShares(broken.filter(({ kind }) => kind === 'share'))
  const lost = unsent.get('share') ?? []
  if (lost.length > 0) addLostPicks(lost.map(({ file, directory: folder }) => ({ file, folder })))
}
