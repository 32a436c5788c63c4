import { MIB } from '@dropleaf/contract'

/**
 * How a decrypted file is saved. `file` writes to a file that the reader chooses. `spool` collects the bytes in a
 * private file of the browser, then saves that file. `stream` passes the bytes to the download list during
 * decryption. `memory` collects the bytes in memory.
 */
export type SaveWay = 'file' | 'spool' | 'stream' | 'memory'

export interface SaveAbilities {
  readonly hasFilePicker: boolean
  readonly isPhone: boolean
  /** Returns how many bytes private files can still use; 0 if the browser does not support private files. */
  readonly spoolRoom: () => Promise<number>
  /** Returns whether the service worker can forward bytes to the download list. */
  readonly hasStream: () => Promise<boolean>
}

/** Maximum number of bytes to collect in memory. On a phone, more would crash the tab. */
const MEMORY_MAX_BYTES = { phone: 64 * MIB, other: 256 * MIB } as const
/** Required free space as a multiple of the file size. The rest is left to the browser. */
const SPOOL_MARGIN = 1.1

/**
 * Chooses how to save a file of this size. Prefers a file that the reader chooses. Otherwise, collects small files in
 * memory and larger ones in a private file. Passes bytes to the download list only if nothing else works, because an
 * interrupted download can leave a truncated file that looks complete. Returns `null` if this browser has no way to
 * save a file of this size.
 */
export async function chooseWay(
  sizeBytes: number,
  { hasFilePicker, isPhone, spoolRoom, hasStream }: SaveAbilities,
): Promise<SaveWay | null> {
  // A file dialog comes first, because the browser allows it only shortly after a click.
  if (hasFilePicker) return 'file'
  if (sizeBytes <= MEMORY_MAX_BYTES[isPhone ? 'phone' : 'other']) return 'memory'
  if (sizeBytes * SPOOL_MARGIN <= (await spoolRoom())) return 'spool'
  return (await hasStream()) ? 'stream' : null
}
