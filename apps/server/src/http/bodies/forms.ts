import { requestErrors } from '@dropleaf/contract'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { nameInDisposition } from '../../lib/sent-names.ts'

const FORM_LIMITS = {
  fileSize: Number.POSITIVE_INFINITY,
  files: 1,
  fields: 50,
  fieldSize: 65_536,
  parts: 51,
  headerPairs: 100,
}

/** Returns the `Content-Length` of a body, or `undefined` if the body is chunked. */
export function announcedBytes(request: FastifyRequest): number | undefined {
  const text = request.headers['content-length']
  return text === undefined ? undefined : Number(text)
}

/** Returns the query before validation. Form fields override its parameters. */
export function queryOf(request: FastifyRequest): object {
  const start = request.url.indexOf('?')
  return start < 0 ? {} : Object.fromEntries(new URLSearchParams(request.url.slice(start + 1)))
}

/**
 * Converts an error of the form parser. A second file becomes `request.invalid`. Any other error without a status means
 * a malformed form, and becomes `request.refused`. An error with a status is returned unchanged.
 */
function formError(error: unknown): unknown {
  if ((error as { code?: unknown }).code === 'FST_FILES_LIMIT')
    return new AppError(requestErrors.invalid, { params: { detail: 'form: send one file' }, cause: error })
  if (!(error instanceof Error) || error instanceof AppError || 'statusCode' in error) return error
  return new AppError(requestErrors.refused, { params: { detail: error.message }, cause: error })
}

/** A form that is read as a stream. */
export interface Form {
  /** Fields received so far. */
  readonly fields: ReadonlyMap<string, string>
  /**
   * Reads up to the next file; `null` at the end of the form.
   * @throws {AppError} `request.refused`; `request.invalid` for a second file
   */
  nextFile(): Promise<MultipartFile | null>
  /** Reads the rest of the form after the file. @throws {AppError} as `nextFile` */
  finish(): Promise<void>
}

/** Number of recent bytes to buffer. The header of a file is within this many bytes before its content. */
const KEPT_BYTES = 256 * 1024

/**
 * Finds the file name exactly as the client sent it. The form parser decodes every name as UTF-8 and uses the last of
 * `filename` and `filename*`, so recent bytes are buffered until the file starts.
 */
function watchName(request: FastifyRequest) {
  const [, quoted, token] =
    /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(request.headers['content-type'] ?? '') ?? []
  let chunks: Buffer[] = []
  let keptBytes = 0
  const keep = (chunk: Buffer) => {
    chunks.push(chunk)
    keptBytes += chunk.length
    while (keptBytes - (chunks[0]?.length ?? 0) > KEPT_BYTES) keptBytes -= chunks.shift()?.length ?? 0
  }
  request.raw.on('data', keep)
  function find(): string | null {
    const parts = Buffer.concat(chunks)
      .toString('latin1')
      .split(`--${quoted ?? token}\r\n`)
    for (const part of parts.slice(1)) {
      const [headers = ''] = part.split('\r\n\r\n')
      const [, disposition = ''] = /^content-disposition:(.*(?:\r\n[ \t].*)*)/im.exec(headers) ?? []
      const name = nameInDisposition(disposition, { isPercentEncoded: false })
      if (name !== null) return name.replace(/^.*[\\/]/s, '')
    }
    return null
  }
  return {
    /** @returns `null` if the buffered bytes contain no file name */
    find,
    end() {
      request.raw.off('data', keep)
      chunks = []
    },
  }
}

/** Reads a form as a stream. The route's plugin must have registered the form parser. */
export function readForm(request: FastifyRequest): Form {
  const fields = new Map<string, string>()
  let parts: ReturnType<FastifyRequest['parts']> | undefined
  let sent: ReturnType<typeof watchName> | undefined
  async function nextFile(): Promise<MultipartFile | null> {
    try {
      sent ??= watchName(request)
      parts ??= request.parts({ limits: FORM_LIMITS })
      for (;;) {
        const next = await parts.next()
        if (next.done) return null
        if (next.value.type === 'file') {
          // The parser's types are wrong: `filename` is undefined for a part without a name.
          const parsed: string | undefined = next.value.filename
          next.value.filename = sent.find() ?? parsed ?? ''
          sent.end()
          return next.value
        }
        fields.set(next.value.fieldname, String(next.value.value))
      }
    } catch (error) {
      throw formError(error)
    }
  }
  async function finish(): Promise<void> {
    if (await nextFile())
      throw new AppError(requestErrors.invalid, { params: { detail: 'form: send one file' } })
  }
  return { fields, nextFile, finish }
}
