import { MIB } from '@dropleaf/contract'

/**
 * How a decrypted file is saved. `file` writes to a file that the reader chooses. `spool` collects the bytes in a
 * private file of the browser, then saves that file. `stream` passes the bytes to the download list during
 * decryption. `memory` collects the bytes in memory.
 */
export type SaveWay = 'file' | 'spool' | 'stream' | 'memory'

export interface SaveAbilities {
  readonly hasFilePicker: boolean
  /** Number of bytes that private files can still use; 0 if the browser does not support private files. */
  readonly spoolBytes: number
  /** Whether the service worker can forward bytes to the download list. */
  readonly hasStream: boolean
  readonly isPhone: boolean
}

/** Maximum number of bytes to collect in memory. On a phone, more would crash the tab. */
const MEMORY_MAX_BYTES = { phone: 64 * MIB, other: 256 * MIB } as const
/** Required free space as a multiple of the file size. The rest is left to the browser. */
const SPOOL_MARGIN = 1.1

export const memoryMaxBytes = ({ isPhone }: Pick<SaveAbilities, 'isPhone'>): number =>
  MEMORY_MAX_BYTES[isPhone ? 'phone' : 'other']

/**
 * Chooses how to save a file of this size. Prefers a file that the reader chooses. Otherwise, collects small files in
 * memory and larger ones in a private file. Passes bytes to the download list only if nothing else works, because an
 * interrupted download can leave a truncated file that looks complete. Returns `null` if this browser has no way to
 * save a file of this size.
 */
export function chooseWay(sizeBytes: number, abilities: SaveAbilities): SaveWay | null {
  if (abilities.hasFilePicker) return 'file'
  if (sizeBytes <= memoryMaxBytes(abilities)) return 'memory'
  if (sizeBytes * SPOOL_MARGIN <= abilities.spoolBytes) return 'spool'
  return abilities.hasStream ? 'stream' : null
}
