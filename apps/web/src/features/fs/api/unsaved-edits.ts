import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'
import { draftOwner, inheritedOwners } from '../../../domains/session/session-owner.ts'
import type { UnsavedEdit, UnsavedEditStore } from '../models/unsaved-edit.ts'

interface UnsavedRecord extends UnsavedEdit {
  readonly id: string
}

const editOf = ({ text, etag }: UnsavedRecord): UnsavedEdit => ({ text, etag })

/** Id of a file's unsaved changes, separate per user. */
const idOf = (path: string, owner = draftOwner()) => `${owner} ${path}`

/** Table of unsaved changes. It is in IndexedDB, which has enough space for every editable text. */
const table = createBrowserTable<UnsavedRecord>({
  database: 'dropleaf-file-edits',
  table: 'edits',
  keyPath: 'id',
})

/**
 * Finds unsaved changes from an earlier editor of the file. Takes over changes of an owner whose drafts the user
 * inherits. Returns `null` if there are none, or if the browser blocks storage.
 */
export async function findUnsavedEdit(path: string): Promise<UnsavedEdit | null> {
  const id = idOf(path)
  try {
    const own = await table.get(id)
    if (own) return editOf(own)
    for (const owner of inheritedOwners()) {
      const inherited = await table.get(idOf(path, owner))
      if (!inherited) continue
      await table.put({ ...inherited, id })
      await table.remove(inherited.id)
      return editOf(inherited)
    }
  } catch {
    // The browser blocks storage.
  }
  return null
}

/** Store for unsaved changes of a file, bound to the draft owner at the time of the call. */
export function unsavedEditStore(path: string): UnsavedEditStore {
  const id = idOf(path)
  return {
    put: (edit) => table.put({ ...edit, id }),
    remove: () => table.remove(id),
  }
}
