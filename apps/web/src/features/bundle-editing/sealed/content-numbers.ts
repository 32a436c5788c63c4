import type { OwnManifest } from '@dropleaf/contract'
import type { Manifest, ManifestItem } from '@dropleaf/seal'

/**
 * Assigns numbers to the contents of an encrypted bundle: slices of its objects, and new files. The editor uses these
 * numbers in the same way as the object numbers of an open bundle.
 */
export class ContentNumbers {
  readonly #numbers = new Map<string, number>()
  #next = 0

  /** Returns an unused number for a new file. */
  take(): number {
    this.#next += 1
    return this.#next - 1
  }

  /**
   * Returns the number of an item's contents, which is the same in every revision that reuses the object, under every
   * path. For an item that was sent again, the number stays the same if the item has a time and has kept its path.
   */
  numberOf(item: ManifestItem, { objects }: Pick<Manifest, 'objects'>): number {
    const { type, mtime, offset, size } = item
    // The number of a deleted object can be assigned again, but each object has a different key.
    const dek = objects.find(({ n }) => n === item.object)?.dek
    // Empty files have the same slice, so the type and the time distinguish them.
    const slice = JSON.stringify([dek, offset, size, type, mtime])
    // A file that was sent again has another key. Its path, size, type and time identify it.
    const facts = mtime === undefined ? slice : JSON.stringify([item.path, size, type, mtime])
    const number = this.#numbers.get(slice) ?? this.#numbers.get(facts) ?? this.take()
    this.#numbers.set(slice, number)
    if (!this.#numbers.has(facts)) this.#numbers.set(facts, number)
    return number
  }
}

/**
 * Converts the contents of a revision into the form of an open bundle.
 * @param pageText text of the page; `null` if there is none
 */
export const toOwnManifest = (
  manifest: Manifest,
  pageText: string | null,
  numbers: ContentNumbers,
): OwnManifest => ({
  title: manifest.title ?? null,
  page: manifest.page && pageText !== null ? { type: manifest.page.type, text: pageText } : null,
  items: manifest.items.map((item) => ({
    path: item.path,
    size: item.size,
    mimetype: item.type,
    modified: item.mtime === undefined ? null : new Date(item.mtime).toISOString(),
    source: { object: numbers.numberOf(item, manifest) },
  })),
})
