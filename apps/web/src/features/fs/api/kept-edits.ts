import { createBrowserTable } from '../../../lib/browser-table.ts'
import type { KeptEdit, KeptEditStore } from '../models/kept-edit.ts'

interface KeptRecord extends KeptEdit {
  readonly path: string
}

/** The database of the browser, which has room for every text that an editor takes. */
const table = createBrowserTable<KeptRecord>({ database: 'dropleaf-edits', table: 'edits', keyPath: 'path' })

/** What an earlier editor of the file was left with; also `null` where the browser keeps nothing. */
export async function findKeptEdit(path: string): Promise<KeptEdit | null> {
  const record = await table.get(path).catch(() => undefined)
  return record ? { text: record.text, etag: record.etag, lineEnd: record.lineEnd } : null
}

export const keptEditStore = (path: string): KeptEditStore => ({
  put: (edit) => table.put({ ...edit, path }),
  remove: () => table.remove(path),
})
