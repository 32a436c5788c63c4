import type { QueueEntry } from '@dropleaf/sync-queue'
import { Dexie, type DexieOptions, type EntityTable, type Table } from 'dexie'

/** An answer of the server that can be read again without it. */
export interface KeptAnswer {
  /** Whose it is, as `identityOf` names them. */
  readonly owner: string
  /** Its place in its table: the suffix of a share, the path of a folder, the name of a setting, an address. */
  readonly key: string
  readonly body: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly cachedAtMs: number
  /** From then on it is not shown any more. */
  readonly expiresAtMs: number
}

/** A change that waits until the server can be reached. Its `data` is without its secrets. */
export interface QueueRow extends QueueEntry {
  /** Without a slash at its end. */
  readonly server: string
  /** The secret fields of the body as JSON. */
  readonly secrets: SealedText | null
  /** The `Authorization` header; `null` for visitors, and after a logout. */
  readonly credential: SealedText | null
}

/** A text that only this browser can read again. */
export interface SealedText {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly sealed: ArrayBuffer
}

/** Something that was searched for and led somewhere. */
export interface SearchEntry {
  readonly id: number
  /** Whose it is, as `currentOwner` names them. */
  readonly owner: string
  readonly query: string
  readonly timestamp: number
}

/** A text that waited, since it was sent. */
export interface SentText {
  /** Of its entry in the queue. */
  readonly id: number
  readonly owner: string
  /** Without a slash at its end. */
  readonly server: string
  readonly slug: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly remark: string
  readonly hasPassword: boolean
  /** First words, of texts without a password. */
  readonly title: string
  readonly sentAtMs: number
  /** Its person knows the link. */
  readonly isTold: boolean
}

/** A key that never leaves the browser. */
interface KeptKey {
  readonly name: string
  readonly key: CryptoKey
}

/** What another app has shared with this one, until it is taken. */
export interface IncomingShare {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly url: string
  readonly files: readonly File[]
  readonly createdAtMs: number
}

type AnswerTableOf = Table<KeptAnswer, [owner: string, key: string]>

/** What pages and the service worker keep for times without a server. */
export interface OfflineDatabase extends Dexie {
  readonly pastes: AnswerTableOf
  readonly files: AnswerTableOf
  readonly directories: AnswerTableOf
  readonly settings: AnswerTableOf
  /** Other lists. */
  readonly answers: AnswerTableOf
  readonly offlineQueue: EntityTable<QueueRow, 'id'>
  readonly searchHistory: EntityTable<SearchEntry, 'id'>
  readonly keys: EntityTable<KeptKey, 'name'>
  readonly incomingShares: EntityTable<IncomingShare, 'id'>
  readonly sentTexts: Table<SentText, number>
}

export const ANSWER_TABLES = ['pastes', 'files', 'directories', 'settings', 'answers'] as const
export type AnswerTable = (typeof ANSWER_TABLES)[number]

/** The last index is for finding out what to remove without reading what is kept. */
const ANSWER_INDEXES = '[owner+key], owner, [cachedAtMs+sizeBytes]'

const SCHEMA = {
  ...Object.fromEntries(ANSWER_TABLES.map((table) => [table, ANSWER_INDEXES])),
  offlineQueue: '++id, owner, status, timestamp',
  searchHistory: '++id, owner, timestamp',
  keys: 'name',
  incomingShares: 'id, createdAtMs',
}

/** Opens at its first use. Every call fails where the browser keeps nothing. */
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
