import { requestErrors } from '@dropleaf/contract'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'

const FORM_LIMITS = {
  fileSize: Number.POSITIVE_INFINITY,
  files: 1,
  fields: 50,
  fieldSize: 65_536,
  parts: 51,
  headerPairs: 100,
}

/** Announced length of a body; `undefined` when it comes in chunks of unknown number. */
export function announcedBytes(request: FastifyRequest): number | undefined {
  const text = request.headers['content-length']
  return text === undefined ? undefined : Number(text)
}

/** The query as it came: the fields of a form go over it before both are parsed. */
export function queryOf(request: FastifyRequest): object {
  const start = request.url.indexOf('?')
  return start < 0 ? {} : Object.fromEntries(new URLSearchParams(request.url.slice(start + 1)))
}

/** The form parser's bare errors tell of a broken form; those with a status are answers already. */
function formError(error: unknown): unknown {
  if ((error as { code?: unknown }).code === 'FST_FILES_LIMIT')
    return new AppError(requestErrors.invalid, { params: { detail: 'form: send one file' }, cause: error })
  if (!(error instanceof Error) || error instanceof AppError || 'statusCode' in error) return error
  return new AppError(requestErrors.refused, { params: { detail: error.message }, cause: error })
}

/** A form that is read as it comes. */
export interface Form {
  /** Those that came so far. */
  readonly fields: ReadonlyMap<string, string>
  /** Reads up to the next file; `null` at the end of the form. @throws {AppError} `request.refused`, `request.invalid` */
  nextFile(): Promise<MultipartFile | null>
  /** Reads the rest once the file is through. @throws {AppError} as `nextFile`; `request.invalid` for a second file */
  finish(): Promise<void>
}

/** The route's plugin must have registered the form parser. */
export function readForm(request: FastifyRequest): Form {
  const fields = new Map<string, string>()
  let parts: ReturnType<FastifyRequest['parts']> | undefined
  async function nextFile(): Promise<MultipartFile | null> {
    try {
      parts ??= request.parts({ limits: FORM_LIMITS })
      for (;;) {
        const next = await parts.next()
        if (next.done) return null
        if (next.value.type === 'file') return next.value
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
