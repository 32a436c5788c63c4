import type { Client } from './client.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'

/** A folder of the mount that only one client uses. */
export interface OwnFolder {
  readonly path: string
  readonly names: Set<string>
}

export interface TortureStorage {
  readonly kind: 'disk' | 's3'
  readonly configId: string
  /** `/local` or `/s3`. */
  readonly mountPath: string
}

/** One client. Nobody else touches what it may touch. */
export interface Worker {
  readonly client: Client
  readonly ledger: Ledger
  readonly random: Random
  readonly storage: TortureStorage
  readonly own: {
    readonly texts: Set<string>
    /** Id by link suffix. */
    readonly shares: Map<string, string>
    folders: OwnFolder[]
    /** The folder that the current operation works in. */
    current: OwnFolder | null
  }
  /** Never given twice. */
  newName(start: string): string
  /** Bytes of a new file: mostly few. */
  newSize(): number
}
