import type { Kysely } from 'kysely'
import type { ApiKeysTable } from './features/foundation/identity/api-keys.table.ts'
import type { AdminSessionsTable, AdminsTable } from './features/foundation/identity/auth.table.ts'
import type {
  FilesTable,
  ObjectRemovalsTable,
  ViewGrantsTable,
} from './features/capabilities/files/files.table.ts'
import type { BundleRevisionsTable, BundlesTable } from './features/capabilities/bundles/bundles.table.ts'
import type { KeyLeasesTable } from './features/capabilities/fs/leases/key-leases.table.ts'
import type { FsUploadsTable } from './features/capabilities/fs/uploads/uploads.table.ts'
import type { MountsTable } from './features/foundation/mounts/mounts.table.ts'
import type { PasteRevisionsTable } from './features/capabilities/pastes/paste-revisions.table.ts'
import type { PastesTable } from './features/capabilities/pastes/pastes.table.ts'
import type {
  ObjectFoldersTable,
  ObjectIndexesTable,
  ObjectNamesTable,
  ObjectsTable,
  ObjectTombstonesTable,
} from './features/foundation/object-index/object-index.table.ts'
import type { SettingsTable } from './features/foundation/settings/settings.table.ts'
import type {
  OpeningDevicesTable,
  OpeningNotesTable,
} from './features/foundation/share-opening/share-opening.table.ts'
import type { StorageConfigsTable } from './features/foundation/storage-configs/storage-configs.table.ts'
import type { StorageReservationsTable } from './features/foundation/storage-usage/storage-usage.table.ts'
import type { UrlUploadsTable } from './features/capabilities/url-import/url-uploads.table.ts'
import type { DavLocksTable } from './features/foundation/object-locks/object-locks.table.ts'
import type {
  DavPropertiesTable,
  DavTimesTable,
} from './features/foundation/object-properties/object-properties.table.ts'
import type { AuditLogTable } from './audit/audit.table.ts'
import type { IdempotentRequestsTable } from './http/idempotency/idempotency.table.ts'
import type { ThrottlesTable } from './throttles/throttles.table.ts'
import type { TicketsTable } from './tickets/tickets.table.ts'
import type { TasksTable } from './jobs/tasks.table.ts'
import type { UnfinishedUploadsTable } from './storage/unfinished-uploads.table.ts'

/** All tables, each declared beside its feature. */
export interface Schema {
  admins: AdminsTable
  admin_sessions: AdminSessionsTable
  audit_log: AuditLogTable
  api_keys: ApiKeysTable
  pastes: PastesTable
  paste_revisions: PasteRevisionsTable
  bundles: BundlesTable
  bundle_revisions: BundleRevisionsTable
  storage_configs: StorageConfigsTable
  mounts: MountsTable
  files: FilesTable
  object_removals: ObjectRemovalsTable
  view_grants: ViewGrantsTable
  opening_devices: OpeningDevicesTable
  opening_notes: OpeningNotesTable
  object_indexes: ObjectIndexesTable
  object_folders: ObjectFoldersTable
  objects: ObjectsTable
  object_tombstones: ObjectTombstonesTable
  object_names: ObjectNamesTable
  fs_uploads: FsUploadsTable
  unfinished_uploads: UnfinishedUploadsTable
  key_holds: KeyLeasesTable
  storage_reservations: StorageReservationsTable
  settings: SettingsTable
  throttles: ThrottlesTable
  idempotent_requests: IdempotentRequestsTable
  url_uploads: UrlUploadsTable
  tickets: TicketsTable
  tasks: TasksTable
  dav_locks: DavLocksTable
  dav_properties: DavPropertiesTable
  dav_times: DavTimesTable
}

/** The database, or a transaction on it. */
export type Db = Kysely<Schema>
