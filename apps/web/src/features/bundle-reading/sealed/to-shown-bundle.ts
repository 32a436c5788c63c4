import type { Decrypted } from './open-sealed.ts'
import type { DecryptedFiles, ShownBundle } from './shown-bundle.ts'

/** Converts a decrypted bundle into the form of an open one, so that the same page shows both. */
export function toShownBundle(
  { opened, pageText, reading }: Decrypted,
  decrypted: DecryptedFiles,
): ShownBundle {
  const { id: _id, salt: _salt, kdf: _kdf, manifest: _sealed, ...facts } = opened
  const { page, items, title = null } = reading.manifest
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
