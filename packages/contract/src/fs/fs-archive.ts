import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { FILENAME_MAX_BYTES, BATCH_PATHS_MAX } from '../core/limits.ts'
import { fsErrors, fsPath, pathErrors } from './fs.ts'
import { route } from '../core/route.ts'
import { instant, optionalText, pathId } from '../core/wire.ts'

/**
 * Name of the last member of an incomplete archive. This member lists each missing path with the reason, one path per
 * line.
 */
export const ARCHIVE_REPORT_NAME = 'archive-report.txt'

const archiveBody = z.object({
  /** Paths of files and folders; a folder has a trailing slash. A folder above mounts includes all mounts below it. */
  paths: z.array(fsPath).check(z.minLength(1), z.maxLength(BATCH_PATHS_MAX)),
  /** File name of the archive, with or without `.zip`. */
  name: optionalText(FILENAME_MAX_BYTES),
})
const errors = [...pathErrors, fsErrors.not_found] as const

export const fsArchiveRoutes = {
  stream: route({
    method: 'POST',
    path: '/api/fs/archive',
    access: 'mount',
    summary: 'Files and folders as one zip archive. A report inside names unreadable files.',
    body: archiveBody,
    replyType: 'application/zip',
    errors,
  }),
  ticket: route({
    method: 'POST',
    path: '/api/fs/archive/ticket',
    access: 'mount',
    summary: 'A URL from which a browser downloads the archive, once, within a few minutes.',
    body: archiveBody,
    reply: z.object({ data: z.object({ url: z.string(), expiresAt: instant, name: z.string() }) }),
    errors,
  }),
  download: route({
    method: 'GET',
    path: '/api/fs/archive/:ticket',
    access: 'signed',
    summary: 'The archive of a ticket, which can be used once.',
    params: z.object({ ticket: pathId }),
    replyType: 'application/zip',
    errors: [fsErrors.ticket_invalid, authErrors.unauthorized, authErrors.forbidden, ...errors],
  }),
}
