import * as z from 'zod/mini'
import { fsErrors, fsPath, pathErrors } from './fs.ts'
import { route } from '../core/route.ts'
import { storageFailures } from '../storages/storage-configs.ts'
import { instant } from '../core/wire.ts'

const properties = z.object({
  path: z.string(),
  name: z.string(),
  isDirectory: z.boolean(),
  /** A level above mounts: the figures are the sums of the mounts below it. */
  isVirtual: z.boolean(),
  /** Bytes of the file, or of all files below the folder. */
  size: z.number(),
  /** Files below the folder, at any depth; 1 for a file. */
  files: z.number(),
  /** Folders below the folder, at any depth. */
  folders: z.number(),
  /** Whether everything was counted. Otherwise the figures are lower bounds. */
  complete: z.boolean(),
  modified: z.nullable(instant),
  contentType: z.nullable(z.string()),
  etag: z.nullable(z.string()),
  mount: z.nullable(z.object({ id: z.string(), name: z.string(), path: z.string() })),
  /** The share of the file, if the caller may manage it. */
  share: z.nullable(z.object({ id: z.string(), slug: z.string() })),
})
export type FsProperties = z.infer<typeof properties>

export const fsPropertiesRoutes = {
  properties: route({
    method: 'GET',
    path: '/api/fs/properties',
    access: 'mount',
    summary: 'Properties of a file or folder, including everything below the folder.',
    query: z.object({ path: fsPath }),
    reply: z.object({ data: properties }),
    errors: [...pathErrors, fsErrors.not_found, ...storageFailures],
  }),
}
