import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { fileErrors } from '../shares/file-errors.ts'
import { fsErrors, fsPath, namedPath, pathErrors } from './fs.ts'
import { BATCH_PATHS_MAX } from '../core/limits.ts'
import { route } from '../core/route.ts'
import { storageFailures } from '../storages/storage-configs.ts'
import { task, taskErrors } from '../administration/tasks.ts'
import { optionalBoolean, optionalInt, optionally, optionalText } from '../core/wire.ts'

/** What to do if the target exists. `skip` and `overwrite` merge a folder into an existing folder. */
export const COPY_CONFLICTS = ['rename', 'skip', 'overwrite'] as const

/** Path of an item. An empty path is accepted here, so that only this item fails instead of the whole request. */
const itemPath = optionally<string, string>('', (value) => value ?? '', fsPath)
const transferItems = z
  .array(z.object({ sourcePath: itemPath, targetPath: itemPath }))
  .check(z.minLength(1), z.maxLength(BATCH_PATHS_MAX))
const conflict = z.optional(z.nullable(z.enum(COPY_CONFLICTS)))

/** Present while the task is running (status 202), or if it was cancelled. */
const runningTask = z.optional(task)
/** False if the task was cancelled while the request was waiting for it. The counts then cover the completed work. */
const successUnlessCancelled = z.optional(z.boolean())
const removeFailures = z.array(z.object({ path: z.string(), error: z.string(), code: z.string() }))
const transferFailure = z.object({
  sourcePath: z.string(),
  targetPath: z.string(),
  error: z.string(),
  code: z.string(),
})

const acrossCommon = {
  crossStorage: z.literal(true),
  source: z.string(),
  target: z.string(),
  status: z.literal('success'),
  sourceMount: z.string(),
  targetMount: z.string(),
  renamed: z.boolean(),
  originalTarget: z.string(),
  message: z.string(),
}
const acrossFile = z.object({
  ...acrossCommon,
  isDirectory: z.literal(false),
  sourceS3Path: z.string(),
  targetS3Path: z.string(),
  fileName: z.string(),
  contentType: z.string(),
  size: z.number(),
  downloadUrl: z.string(),
  uploadUrl: z.string(),
})
const acrossFolder = z.object({
  ...acrossCommon,
  isDirectory: z.literal(true),
  items: z.array(
    z.object({
      sourceKey: z.string(),
      targetKey: z.string(),
      fileName: z.string(),
      relativeDir: z.string(),
      contentType: z.string(),
      size: z.number(),
      downloadUrl: z.string(),
      uploadUrl: z.string(),
    }),
  ),
})
const counts = z.object({ success: z.number(), skipped: z.number(), failed: z.number() })

const copyOutcome = z.object({
  crossStorage: z.boolean(),
  requiresClientSideCopy: z.optional(z.boolean()),
  /** Numbers of objects and folders. `failed` is a list if the client continues the copy. */
  success: z.optional(z.number()),
  skipped: z.optional(z.number()),
  failed: z.union([z.number(), z.array(transferFailure)]),
  standardCopyResults: z.optional(counts),
  crossStorageResults: z.optional(z.array(z.union([acrossFile, acrossFolder]))),
  details: z.array(transferFailure),
  task: runningTask,
})
export type CopyOutcome = z.infer<typeof copyOutcome>

const commitFile = z.object({
  targetPath: fsPath,
  s3Path: fsPath,
  contentType: optionalText(255),
  fileSize: optionalInt({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  etag: optionalText(200),
})

const copyErrors = [fsErrors.path_invalid, authErrors.path_forbidden, fsErrors.read_only] as const

export const fsTransferRoutes = {
  rename: route({
    method: 'POST',
    path: '/api/fs/rename',
    access: 'mount',
    summary:
      'Rename or move a file or folder in its mount. An interruption loses nothing; the same call continues.',
    body: z.object({ oldPath: namedPath, newPath: namedPath }),
    reply: z.object({ data: z.object({ task: runningTask }) }),
    errors: [
      ...pathErrors,
      fsErrors.read_only,
      fsErrors.kind_mismatch,
      fsErrors.other_mount,
      fsErrors.not_found,
      fsErrors.exists,
      fsErrors.changed,
      fsErrors.into_itself,
      fsErrors.partly_done,
      fsErrors.names_unusable,
      fsErrors.paths_too_long,
      taskErrors.cancelled,
      ...storageFailures,
    ],
  }),
  batchMove: route({
    method: 'POST',
    path: '/api/fs/batch-move',
    access: 'mount',
    summary: 'Move files and folders, across mounts and storages too, by a task of the server.',
    body: z.object({ items: transferItems, conflict }),
    reply: z.object({
      success: successUnlessCancelled,
      data: z.object({ ...counts.shape, details: z.array(transferFailure), task: runningTask }),
    }),
    errors: copyErrors,
  }),
  batchRemove: route({
    method: 'DELETE',
    path: '/api/fs/batch-remove',
    access: 'mount',
    summary:
      'Remove files and folders, each on its own storage. Failed ones are named, the others are removed.',
    body: z.object({ paths: z.array(fsPath).check(z.minLength(1), z.maxLength(BATCH_PATHS_MAX)) }),
    reply: z.object({
      success: successUnlessCancelled,
      data: z.object({ success: z.number(), failed: removeFailures, task: runningTask }),
      failed: removeFailures,
    }),
    errors: copyErrors,
  }),
  batchCopy: route({
    method: 'POST',
    path: '/api/fs/batch-copy',
    access: 'mount',
    summary:
      'Copy files and folders. Between storages the client copies with the returned URLs, unless `server` is true.',
    body: z.object({
      items: transferItems,
      /** If false, a copy whose name is taken gets a numbered name, like `name(1).txt`. */
      skipExisting: optionally<boolean, boolean>(true, (value) => value ?? true, z.boolean()),
      /** What to do with an existing target. Takes precedence over `skipExisting`. */
      conflict,
      server: optionalBoolean,
    }),
    reply: z.object({ success: successUnlessCancelled, data: copyOutcome }),
    errors: copyErrors,
  }),
  batchCopyCommit: route({
    method: 'POST',
    path: '/api/fs/batch-copy-commit',
    access: 'mount',
    summary: 'Report that the client has copied objects into a mount. Each is checked in the storage.',
    body: z.object({
      targetMountId: z.string().check(z.minLength(1), z.maxLength(200)),
      files: z.array(commitFile).check(z.minLength(1), z.maxLength(BATCH_PATHS_MAX)),
    }),
    reply: z.object({
      success: z.boolean(),
      data: z.object({
        success: z.array(z.object({ targetPath: z.string(), fileName: z.string() })),
        failed: z.array(z.object({ targetPath: z.string(), error: z.string(), code: z.string() })),
      }),
    }),
    errors: [...copyErrors, fsErrors.no_mount, fileErrors.storage_full],
  }),
}
