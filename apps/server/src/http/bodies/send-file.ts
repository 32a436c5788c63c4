import type { ObjectStat } from '@dropleaf/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentDisposition, previewType } from '../../lib/bodies/content-headers.ts'
import { inferMimeType } from '../../lib/mime.ts'
import { type BytesToSend, sendBytes } from './send-bytes.ts'

/** Whether a browser can show the content without running anything. HTML pages are downloaded instead. */
const isShown = (type: string, shownAs: string) =>
  type !== 'text/html' && /^(?:image|video|audio|text)\/|^application\/pdf$/.test(shownAs)

export interface FileToSend {
  readonly name: string
  readonly stat: ObjectStat & Pick<BytesToSend, 'isTimeSetByClient'>
  /** Whether the browser must download the file, even if it could show it. */
  readonly isSaved: boolean
  readonly open: BytesToSend['open']
}

/**
 * Sends a file to a caller who is allowed to read it. Only the caller's own cache can store it, and must revalidate it
 * each time.
 */
export function sendFileBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, stat, isSaved, open }: FileToSend,
): Promise<FastifyReply> {
  const type = inferMimeType(name)
  const shownAs = previewType(name, type)
  const isInline = !isSaved && isShown(type, shownAs)
  return sendBytes(request, reply, {
    ...stat,
    contentType: isInline ? shownAs : type,
    contentDisposition: contentDisposition(isInline ? 'inline' : 'attachment', name),
    cacheControl: 'private, no-cache',
    open,
  })
}
