import type { ObjectStat } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import type { FileRow } from '../../features/capabilities/files/files.table.ts'
import type { Ledger } from './ledger.ts'

export interface AuditedBundles {
  /** Keys of the objects that stored revisions use. */
  readonly named: ReadonlySet<string>
  /** Number of objects that no stored revision uses, and of drafts that were never published. */
  readonly unnamed: number
}

/** Checks that every object of a stored revision has its row and its bytes, and that no deleted bundle exists again. */
export async function auditBundles(
  ctx: AppContext,
  {
    rows,
    objects,
    ledger,
  }: { rows: readonly FileRow[]; objects: ReadonlyMap<string, ObjectStat>; ledger: Ledger },
): Promise<AuditedBundles> {
  const bundles = await ctx.db.selectFrom('bundles').select(['id', 'slug', 'revision']).execute()
  const drafts = bundles.filter(({ revision }) => revision === 0)
  for (const { slug, revision } of bundles)
    if (revision > 0 && !ledger.bundles.has(slug)) ledger.faults.push(`bundle ${slug} is back`)
  const named = new Set<string>()
  for (const { bundle_id: id, revision, objects: numbers } of await ctx.db
    .selectFrom('bundle_revisions')
    .select(['bundle_id', 'revision', 'objects'])
    .execute())
    for (const n of JSON.parse(numbers) as number[]) {
      const row = rows.find((one) => one.bundle_id === id && one.object_number === n)
      const size = objects.get(row?.storage_key ?? '')?.sizeBytes
      if (row === undefined || row.committed_at_ms === null || size !== row.size_bytes)
        ledger.faults.push(
          `bundle ${id}, revision ${revision}: object ${n} is missing, ${size} bytes are stored`,
        )
      else named.add(row.storage_key)
    }
  const complete = rows.filter((row) => row.bundle_id !== null && row.committed_at_ms !== null)
  const unnamed = complete.filter(({ storage_key: key }) => !named.has(key))
  return { named, unnamed: unnamed.length + drafts.length }
}
