import {
  INLINE_TEXT_MAX_BYTES,
  type Manifest,
  MANIFEST_VERSION,
  type ManifestItem,
  type ManifestPage,
} from '@dropleaf/seal'

/** The parts of the edited revision that a new revision reuses. */
export interface RevisionPlan {
  /** Numbers of the objects that the new revision reuses unchanged. */
  readonly kept: ReadonlySet<number>
  /** Items in all other objects. The bytes of these items are sent again. */
  readonly resent: ReadonlySet<ManifestItem>
  /** The page, if its text is in a reused object. */
  readonly page: ManifestPage | null
}

/**
 * Decides which objects a new revision reuses. It reuses an object only if it needs the whole contents of the object.
 * Readers get the keys of whole objects, so an object that also contains a removed file would disclose that file.
 * @param items items of the edited revision that the new revision contains
 * @param keepsText whether the text is unchanged
 */
export function planRevision(
  base: Manifest,
  { items, keepsText }: { readonly items: readonly ManifestItem[]; readonly keepsText: boolean },
): RevisionPlan {
  const page = keepsText && base.page && 'object' in base.page ? base.page : null
  const slices = [...items, ...items.flatMap(({ thumb }) => thumb ?? []), ...(page ? [page] : [])]
  const named = Map.groupBy(slices, ({ object }) => object)
  const kept = new Set(
    base.objects.flatMap(({ n, size }) => {
      const parts = named.get(n)
      // Slices do not overlap, so they cover the object if their sizes add up to its size.
      return parts && parts.reduce((sum, part) => sum + part.size, 0) >= size ? [n] : []
    }),
  )
  return {
    kept,
    resent: new Set(items.filter(({ object }) => !kept.has(object))),
    page: page && kept.has(page.object) ? page : null,
  }
}

/** An item of a new revision. */
export interface PlannedItem {
  readonly path: string
  /** The item in the edited revision; `null` for a new file. */
  readonly before: ManifestItem | null
  /** Location of the bytes that this browser has sent; `null` if the bytes are in a reused object. */
  readonly sent: ManifestItem | null
}

/** Returns an item of the new manifest. The item keeps its thumbnail only if the object of the thumbnail is reused. */
function placedItem({ path, before, sent }: PlannedItem, kept: ReadonlySet<number>): ManifestItem {
  const at = sent ?? before
  if (!at) throw new Error(`${path} is nowhere.`)
  const { thumb, type, mtime } = before ?? at
  return {
    path,
    type,
    ...(mtime !== undefined && { mtime }),
    object: at.object,
    offset: at.offset,
    size: at.size,
    ...(thumb && kept.has(thumb.object) && { thumb }),
  }
}

const isLong = (text: string) => new Blob([text]).size > INLINE_TEXT_MAX_BYTES

interface NewRevision {
  readonly plan: RevisionPlan
  readonly title: string | null
  readonly page: { readonly type: ManifestPage['type']; readonly text: string } | null
  readonly items: readonly PlannedItem[]
  /** Objects and page that this browser has sent. */
  readonly sent: Pick<Manifest, 'objects' | 'page'>
}

/** Returns the page if its text must be sent as an object; otherwise `null`. */
export const longPageOf = ({ plan, page }: Pick<NewRevision, 'plan' | 'page'>) =>
  page && !plan.page && isLong(page.text) ? page : null

/** Builds the manifest of a new revision. */
export function buildManifest(base: Manifest, { plan, title, page, items, sent }: NewRevision): Manifest {
  const slice = plan.page ?? (longPageOf({ plan, page }) && sent.page)
  return {
    v: MANIFEST_VERSION,
    ...(title !== null && { title }),
    ...(page && { page: slice ? { ...slice, type: page.type } : { type: page.type, text: page.text } }),
    objects: [...base.objects.filter(({ n }) => plan.kept.has(n)), ...sent.objects],
    items: items.map((item) => placedItem(item, plan.kept)),
  }
}
