import type { QueueEntry } from '@dropleaf/sync-queue'
import { Dexie, type DexieOptions, type EntityTable, type Table } from 'dexie'

/** A cached response of the server. */
export interface CachedAnswer {
  /** Owner, from `identityOf`. */
  readonly owner: string
  /** Key in its table: the slug of a share, the path of a folder, the name of a setting, a URL. */
  readonly key: string
  readonly body: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly cachedAtMs: number
  /** After this time the cached response is not shown. */
  readonly expiresAtMs: number
}

/** A pending change. Its `data` excludes its secrets. */
export interface QueueRow extends QueueEntry {
  /** Without a trailing slash. */
  readonly server: string
  /** The secret fields of the body as JSON. */
  readonly secrets: SealedText | null
  /** The `Authorization` header; `null` for visitors, and after a logout. */
  readonly credential: SealedText | null
}

/** A text that only this browser can decrypt. */
export interface SealedText {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly sealed: ArrayBuffer
}

/** A search with a result that was opened. */
export interface SearchEntry {
  readonly id: number
  /** Owner, from `currentOwner`. */
  readonly owner: string
  readonly query: string
  readonly timestamp: number
}

/** A queued text that has been sent. */
export interface SentText {
  /** Id of its queue entry. */
  readonly id: number
  readonly owner: string
  /** Without a trailing slash. */
  readonly server: string
  readonly slug: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly remark: string
  readonly hasPassword: boolean
  /** First words, for texts without a password. */
  readonly title: string
  readonly sentAtMs: number
  /** Whether the user was notified of the link. */
  readonly isTold: boolean
}

/** A key that never leaves the browser. */
interface StoredKey {
  readonly name: string
  readonly key: CryptoKey
}

/** Content that another app has shared with this one, until it is taken. */
export interface IncomingShare {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly url: string
  readonly files: readonly File[]
  readonly createdAtMs: number
}

type AnswerTableOf = Table<CachedAnswer, [owner: string, key: string]>

/** The data that pages and the service worker store for offline use. */
export interface OfflineDatabase extends Dexie {
  readonly pastes: AnswerTableOf
  readonly files: AnswerTableOf
  readonly directories: AnswerTableOf
  readonly settings: AnswerTableOf
  /** Cached responses of all other lists. */
  readonly answers: AnswerTableOf
  readonly offlineQueue: EntityTable<QueueRow, 'id'>
  readonly searchHistory: EntityTable<SearchEntry, 'id'>
  readonly keys: EntityTable<StoredKey, 'name'>
  readonly incomingShares: EntityTable<IncomingShare, 'id'>
  readonly sentTexts: Table<SentText, number>
}

export const ANSWER_TABLES = ['pastes', 'files', 'directories', 'settings', 'answers'] as const
export type AnswerTable = (typeof ANSWER_TABLES)[number]

/** The last index finds responses to remove without reading their content. */
const ANSWER_INDEXES = '[owner+key], owner, [cachedAtMs+sizeBytes]'

const SCHEMA = {
  ...Object.fromEntries(ANSWER_TABLES.map((table) => [table, ANSWER_INDEXES])),
  offlineQueue: '++id, owner, status, timestamp',
  searchHistory: '++id, owner, timestamp',
  keys: 'name',
  incomingShares: 'id, createdAtMs',
}

/** Opens on first use. Every call fails where the browser stores nothing. */
export function createOfflineDatabase(options?: DexieOptions): OfflineDatabase {
  const database = new Dexie('dropleaf-offline', options) as OfflineDatabase
  database.version(1).stores(SCHEMA)
  database.version(2).stores({ sentTexts: 'id, owner, sentAtMs' })
  return database
}

let opened: OfflineDatabase | null = null

/** The database of this page or worker. */
export function offlineDatabase(): OfflineDatabase {
  opened ??= createOfflineDatabase()
  return opened
}
