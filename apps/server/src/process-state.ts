import type { OpenDatabase } from './db/database.ts'
import { createKeyLeases } from './features/capabilities/fs/leases/key-leases.memory.ts'
import {
  type KeyLeasesStore,
  sharedKeyLeases,
} from './features/capabilities/fs/leases/key-leases.repository.ts'
import type { IndexQueue } from './features/foundation/object-index/storage-changes.usecases.ts'
import { PreviewNotes } from './features/foundation/share-opening/preview-notes.memory.ts'
import { PasswordMemory } from './lib/password-memory.ts'
import type { Schema } from './schema.ts'

/** State that features keep between requests, in addition to the caches. */
export interface ProcessState {
  /** Leases on object keys. With SQLite they are in memory, because only one process uses the database. */
  readonly keyLeases: KeyLeasesStore
  /** Changes that are missing in the index of a storage, keyed by storage config. */
  readonly indexQueues: Map<string, IndexQueue>
  readonly passwordMemory: PasswordMemory
  /** Recorded previews that are not yet in the database, keyed by share. */
  readonly previewNotes: PreviewNotes
  /** Folders whose part of the index is being updated. */
  readonly folderUpdates: Set<string>
}

export const createProcessState = (database: OpenDatabase<Schema>): ProcessState => ({
  keyLeases: database.engine === 'sqlite' ? createKeyLeases() : sharedKeyLeases(database),
  indexQueues: new Map(),
  folderUpdates: new Set(),
  passwordMemory: new PasswordMemory(),
  previewNotes: new PreviewNotes(),
})
