import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'
import { draftOwner, inheritedOwners } from '../../../domains/session/session-owner.ts'
import type { KeptEdit, KeptEditStore } from '../models/kept-edit.ts'

interface KeptRecord extends KeptEdit {
  readonly id: string
}

const editOf = ({ text, etag }: KeptRecord): KeptEdit => ({ text, etag })

/** Everybody goes on in what they have typed themselves. */
const idOf = (path: string, owner = draftOwner()) => `${owner} ${path}`

/** The database of the browser, which has room for every text that an editor takes. */
const table = createBrowserTable<KeptRecord>({
  database: 'dropleaf-file-edits',
  table: 'edits',
  keyPath: 'id',
})

/** What an earlier editor of the file was left with; also `null` where the browser keeps nothing. */
export async function findKeptEdit(path: string): Promise<KeptEdit | null> {
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
    // The browser keeps nothing.
  }
  return null
}

/** Of whoever is here when it is asked for. */
export function keptEditStore(path: string): KeptEditStore {
  const id = idOf(path)
  return {
    put: (edit) => table.put({ ...edit, id }),
    remove: () => table.remove(id),
  }
}
