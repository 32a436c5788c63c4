import * as z from 'zod/mini'
import { fsErrors, fsPath, pathErrors } from './fs.ts'
import { route } from '../core/route.ts'
import { storageFailures } from '../storages/storage-configs.ts'
import { instant } from '../core/wire.ts'

const properties = z.object({
  path: z.string(),
  name: z.string(),
  isDirectory: z.boolean(),
  /** Whether the path is a folder above mounts. Its totals are the sums of the mounts below it. */
  isVirtual: z.boolean(),
  /** Size of the file, or of all files below the folder, in bytes. */
  size: z.number(),
  /** Number of files below the folder, at any depth; 1 for a file. */
  files: z.number(),
  /** Number of folders below the folder, at any depth. */
  folders: z.number(),
  /** Whether everything was counted. If not, the totals are lower bounds. */
  complete: z.boolean(),
  modified: z.nullable(instant),
  contentType: z.nullable(z.string()),
  etag: z.nullable(z.string()),
  mount: z.nullable(z.object({ id: z.string(), name: z.string(), path: z.string() })),
  /** The share of the file, if the caller may manage that share. */
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
