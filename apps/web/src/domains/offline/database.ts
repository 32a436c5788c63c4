import type { QueueEntry } from '@dropleaf/sync-queue'
import { Dexie, type DexieOptions, type EntityTable, type Table } from 'dexie'

export interface CachedAnswer {
  /** Owner, from `identityOf`. */
  readonly owner: string
  /** Key in its table: the slug of a share, the path of a folder, the name of a setting, or a URL. */
  readonly key: string
  readonly body: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly cachedAtMs: number
  /** After this time the cached response is not shown. */
  readonly expiresAtMs: number
}

/** A pending change. Its `data` contains no password and no PIN. */
export interface QueueRow extends QueueEntry {
  /** URL of the server, without a trailing slash. */
  readonly server: string
  /** Secret fields of the body, as encrypted JSON. */
  readonly secrets: SealedText | null
  /** Encrypted `Authorization` header; `null` for visitors and after a logout. */
  readonly credential: SealedText | null
}

/** A text that only this browser can decrypt. */
export interface SealedText {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly sealed: ArrayBuffer
}

/** A search of which a result was opened. */
export interface SearchEntry {
  readonly id: number
  /** Owner, from `currentOwner`. */
  readonly owner: string
  readonly query: string
  readonly timestamp: number
}

/** A queued text that has been sent. */
export interface SentText {
  /** ID of the text's queue entry. */
  readonly id: number
  readonly owner: string
  /** URL of the server, without a trailing slash. */
  readonly server: string
  readonly slug: string
  /** ID of the encrypted bundle; absent if the text is not encrypted. */
  readonly sealedId?: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly remark: string
  readonly hasPassword: boolean
  /** First words of the text; empty for texts that are encrypted, have a password or require confirmation. */
  readonly title: string
  readonly sentAtMs: number
  /** Whether the user was notified of the link to the text. */
  readonly isTold: boolean
}

/** An encryption key that never leaves the browser. */
interface StoredKey {
  readonly name: string
  readonly key: CryptoKey
}

/** Content that another app has shared with this app, stored until a page handles it. */
export interface IncomingShare {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly url: string
  readonly files: readonly File[]
  readonly createdAtMs: number
}

type AnswerTableOf = Table<CachedAnswer, [owner: string, key: string]>

/** Data that pages and the service worker store for offline use. */
export interface OfflineDatabase extends Dexie {
  readonly pastes: AnswerTableOf
  readonly files: AnswerTableOf
  readonly directories: AnswerTableOf
  readonly settings: AnswerTableOf
  /** Cached responses that belong to none of the other tables. */
  readonly answers: AnswerTableOf
  readonly offlineQueue: EntityTable<QueueRow, 'id'>
  readonly searchHistory: EntityTable<SearchEntry, 'id'>
  readonly keys: EntityTable<StoredKey, 'name'>
  readonly incomingShares: EntityTable<IncomingShare, 'id'>
  readonly sentTexts: Table<SentText, number>
}

export const ANSWER_TABLES = ['pastes', 'files', 'directories', 'settings', 'answers'] as const
export type AnswerTable = (typeof ANSWER_TABLES)[number]

/** The last index finds responses to remove by age and size, without reading their content. */
const ANSWER_INDEXES = '[owner+key], owner, [cachedAtMs+sizeBytes]'

const SCHEMA = {
  ...Object.fromEntries(ANSWER_TABLES.map((table) => [table, ANSWER_INDEXES])),
  offlineQueue: '++id, owner, status, timestamp',
  searchHistory: '++id, owner, timestamp',
  keys: 'name',
  incomingShares: 'id, createdAtMs',
}

/** Creates the database, which opens on first use. Every call fails if the browser's storage is not available. */
export function createOfflineDatabase(options?: DexieOptions): OfflineDatabase {
  const database = new Dexie('dropleaf-offline', options) as OfflineDatabase
  database.version(1).stores(SCHEMA)
  database.version(2).stores({ sentTexts: 'id, owner, sentAtMs' })
  return database
}

let opened: OfflineDatabase | null = null

export function offlineDatabase(): OfflineDatabase {
  opened ??= createOfflineDatabase()
  return opened
}
