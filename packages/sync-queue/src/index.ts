export {
  type ConflictKind,
  type EntryFailure,
  type EntryStatus,
  isStuck,
  type NewEntry,
  nextOf,
  type OperationType,
  type QueueEntry,
} from './entry.ts'
export { createMemoryStore, type MemoryStore } from './memory-store.ts'
export { type Answer, type Outcome } from './outcome.ts'
export {
  isHeldUp,
  MAX_ATTEMPTS,
  replay,
  type ReplayHost,
  type ReplayResult,
  type QueueStore,
  revive,
} from './replay.ts'
