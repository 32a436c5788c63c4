import { MIB } from '@dropleaf/contract'

/**
 * How a decrypted file is saved. `file`: written to a file that the reader chooses. `spool`: collected in a private file
 * of the browser, then saved. `stream`: passed to the download list while it is decrypted. `memory`: collected in memory.
 */
export type SaveWay = 'file' | 'spool' | 'stream' | 'memory'

export interface SaveAbilities {
  readonly hasFilePicker: boolean
  /** Bytes that private files may still take; 0 if the browser has none. */
  readonly spoolBytes: number
  /** Whether the service worker can pass bytes to the download list. */
  readonly hasStream: boolean
  readonly isPhone: boolean
}

/** More than this in memory ends the tab of a phone. */
const MEMORY_MAX_BYTES = { phone: 64 * MIB, other: 256 * MIB } as const
/** Room that is left to the rest of the browser. */
const SPOOL_MARGIN = 1.1

export const memoryMaxBytes = ({ isPhone }: Pick<SaveAbilities, 'isPhone'>): number =>
  MEMORY_MAX_BYTES[isPhone ? 'phone' : 'other']

/**
 * Chooses the way that needs the least memory and never leaves a cut file that looks whole. Returns `null` if this
 * browser has no way for a file of this size.
 */
export function chooseWay(sizeBytes: number, abilities: SaveAbilities): SaveWay | null {
  if (abilities.hasFilePicker) return 'file'
  if (sizeBytes <= memoryMaxBytes(abilities)) return 'memory'
  if (sizeBytes * SPOOL_MARGIN <= abilities.spoolBytes) return 'spool'
  return abilities.hasStream ? 'stream' : null
}
