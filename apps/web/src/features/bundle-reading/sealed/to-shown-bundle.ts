import type { OpenBundle, OpenSealedBundle } from '@dropleaf/contract'
import type { Manifest } from '@dropleaf/seal'

interface Decrypted {
  readonly opened: OpenSealedBundle
  readonly manifest: Manifest
  /** The text of the page; `null` if the bundle has no text. */
  readonly pageText: string | null
}

/** Converts a decrypted bundle into the form of an open bundle, so that the same page shows both kinds. */
export function toShownBundle<Files>(
  { opened, pageText, manifest }: Decrypted,
  decrypted: Files,
): OpenBundle & { decrypted: Files } {
  const { id: _id, salt: _salt, kdf: _kdf, manifest: _sealed, ...facts } = opened
  const { page, items, title = null } = manifest
  return {
    ...facts,
    sealed: null,
    title,
    manifest: {
      title,
      page: page && pageText !== null ? { type: page.type, text: pageText } : null,
      items: items.map(({ path, size, type, mtime }) => ({
        kind: 'file',
        path,
        size,
        mimetype: type,
        modified: mtime === undefined ? null : new Date(mtime).toISOString(),
      })),
    },
    decrypted,
  }
}
