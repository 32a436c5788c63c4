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
  /** Path of the mount: `/local` or `/s3`. */
  readonly mountPath: string
}

export interface OwnBundle {
  readonly id: string
  readonly slug: string
  revision: number
  nextNumber: number
  /** Hashes of the uploaded objects, keyed by number. */
  readonly hashes: Map<number, string>
  /** Numbers of the objects of the current revision. */
  current: readonly number[]
  /** Each published revision, with the hash of what readers see. */
  readonly published: Map<number, { readonly hash: string; readonly numbers: readonly number[] }>
}

/** One client. No other client changes its data. */
export interface Worker {
  readonly client: Client
  readonly ledger: Ledger
  readonly random: Random
  readonly storage: TortureStorage
  readonly own: {
    readonly texts: Set<string>
    /** Ids, keyed by link suffix. */
    readonly shares: Map<string, string>
    bundles: OwnBundle[]
    folders: OwnFolder[]
    /** The folder that the current operation works in. */
    current: OwnFolder | null
  }
  newName(start: string): string
  /** Returns a random size for a new file. Most sizes are small. */
  newSize(): number
}
