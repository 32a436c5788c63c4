import type { Readable } from 'node:stream'
import { fileErrors, fsUploadFields, fsUploadRoutes, type ParsedOf } from '@dropleaf/contract'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { AppContext } from '../../../../context.ts'
import { nameForAudit } from '../../../../http/audit/audit.ts'
import { announcedBytes, queryOf, readForm } from '../../../../http/bodies/forms.ts'
import { leaveBodiesRaw } from '../../../../http/bodies/raw-bodies.ts'
import { applyConditionPolicy, requireNoFailed } from '../../../../http/bodies/write-conditions.ts'
import { fromContract, InvalidRequestError } from '../../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../../http/core/urls.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { relayBody } from '../../../../lib/bodies/relay-body.ts'
import { toInstant } from '../../../../lib/clock.ts'
import { formatBytes } from '../../../../lib/sizes.ts'
import { actorOf, stillActorOf } from '../../../foundation/identity/request-actor.http.ts'
import { spool } from './spool.usecases.ts'
import { maxUploadBytes } from '../../../foundation/settings/settings.usecases.ts'
import {
  presentFinished,
  presentMultipart,
  presentPresigned,
  presentStored,
  presentUpload,
  presentUrls,
} from '../fs.presenters.ts'
import {
  abortMultipart,
  completeMultipart,
  listUploads,
  readProgress,
  receivePart,
  startMultipart,
} from './multipart.usecases.ts'
import { getPlace } from '../places/places.usecases.ts'
import { commitPresigned, presignFile } from './presign.usecases.ts'
import { requireStillWrites } from '../places/request-access.http.ts'
import { writeFileIf } from '../files/conditional-writes.usecases.ts'
import { pathOfUpload, placeOfUpload } from '../files/writing.usecases.ts'

/**
 * Parses the form fields and the query.
 * @throws {InvalidRequestError} if a field is invalid or the path is missing
 */
function parseFields(request: FastifyRequest, fields: ReadonlyMap<string, string>) {
  const given = { ...queryOf(request), ...Object.fromEntries(fields) }
  const result = z.safeParse(fsUploadFields, given)
  if (result.success) return result.data
  const message = 'is missing: the folder that the file goes to'
  throw new InvalidRequestError(
    'form',
    'path' in given ? result.error.issues : [{ code: 'custom', path: ['path'], message, input: undefined }],
  )
}

/**
 * Reads and discards a file, and returns its size.
 * @throws {AppError} `file.too_large`
 */
async function countBytes(ctx: AppContext, source: Readable): Promise<number> {
  const limit = await maxUploadBytes(ctx)
  let sizeBytes = 0
  for await (const chunk of source) {
    sizeBytes += (chunk as Buffer).length
    if (sizeBytes > limit) throw new AppError(fileErrors.too_large, { params: { limit: formatBytes(limit) } })
  }
  return sizeBytes
}

async function receiveForm(ctx: AppContext, request: FastifyRequest, origin: string) {
  if (!request.isMultipart()) throw new AppError(fileErrors.empty_upload)
  const form = readForm(request)
  const file = await form.nextFile()
  if (!file) throw new AppError(fileErrors.empty_upload)
  const isPathKnown = form.fields.has('path') || 'path' in queryOf(request)
  // If the path is not known yet, the file is stored temporarily on disk, because some clients send the path after the
  // file.
  await using spooled = isPathKnown ? null : await spool(ctx, file.file)
  if (spooled) await form.finish()
  const { path, use_multipart, fileSize, partSize } = parseFields(request, form.fields)
  const target = { path, fileName: file.filename }
  nameForAudit(request, pathOfUpload(target))
  const place = await placeOfUpload(ctx, await stillActorOf(request), target)
  if (use_multipart) {
    requireNoFailed(request.headers, 'refused')
    const counted = spooled?.sizeBytes ?? (await countBytes(ctx, file.file))
    await form.finish()
    const sizes = { sizeBytes: fileSize ?? counted, partSizeBytes: partSize }
    const begun = await startMultipart(ctx, await stillActorOf(request), { ...target, ...sizes })
    return presentMultipart(begun, origin)
  }
  const body = spooled
    ? { source: spooled.read(), sizeBytes: spooled.sizeBytes }
    : { source: relayBody(file.file, { beforeEnd: () => form.finish() }) }
  const authorize = () => requireStillWrites(request, place.path)
  const { headers } = request
  const stored = await writeFileIf(ctx, place, { headers, write: { ...body, authorize } })
  return presentStored(ctx, stored, origin)
}

async function formUploads(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  await app.register(multipart)
  app.route(
    fromContract(fsUploadRoutes.form, async ({ request }) => ({
      data: await receiveForm(ctx, request, publicUrlOf(request, ctx.config)),
    })),
  )
}

type PartQuery = ParsedOf<typeof fsUploadRoutes.multipartPart, 'query'>

async function takePart(ctx: AppContext, { query, request }: { query: PartQuery; request: FastifyRequest }) {
  const { partNumber, etag } = await receivePart(ctx, actorOf(request), {
    id: query.uploadId,
    hints: { path: query.path },
    partNumber: query.partNumber,
    source: request.raw,
    sizeBytes: announcedBytes(request),
    requireMay: (path) => requireStillWrites(request, path),
  })
  return { data: { partNumber, etag } }
}

/** Registers routes whose body is the unparsed file, of any media type. */
async function rawUploads(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  leaveBodiesRaw(app, { conditions: 'checked' })
  app.route(
    fromContract(fsUploadRoutes.put, async ({ query, request }) => {
      const place = await getPlace(ctx, actorOf(request), query.path, 'write')
      const write = {
        source: request.raw,
        sizeBytes: announcedBytes(request),
        authorize: () => requireStillWrites(request, place.path),
      }
      const file = await writeFileIf(ctx, place, { headers: request.headers, write })
      return { data: presentStored(ctx, file, publicUrlOf(request, ctx.config)) }
    }),
  )
}

async function rawParts(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  leaveBodiesRaw(app)
  app.route(fromContract(fsUploadRoutes.multipartPart, (call) => takePart(ctx, call)))
  app.route(fromContract(fsUploadRoutes.multipartPutPart, (call) => takePart(ctx, call)))
}

/** Registers routes that begin and end uploads whose bytes arrive in other requests. */
async function sessions(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  applyConditionPolicy(app, 'refused')
  presignRoutes(app, ctx)
  multipartRoutes(app, ctx)
}

function presignRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(fsUploadRoutes.presign, async ({ body, request }) => {
      const input = { path: body.path, fileName: body.fileName, sizeBytes: body.fileSize }
      const begun = await presignFile(ctx, actorOf(request), input)
      return { data: presentPresigned(begun, publicUrlOf(request, ctx.config)) }
    }),
  )
  app.route(
    fromContract(fsUploadRoutes.commit, async ({ body, request }) => {
      const input = { id: body.fileId, sizeBytes: body.fileSize, hints: body }
      const done = presentFinished(await commitPresigned(ctx, actorOf(request), input), '')
      const { fileId, fileName, size, contentType, path } = done
      return { data: { fileId, fileName, targetPath: path, fileSize: size, contentType } }
    }),
  )
}

/** Body limit that is large enough for 10,000 parts with their etags. */
const COMPLETE_BODY_LIMIT = 4 * 1024 * 1024

function multipartRoutes(app: FastifyInstance, ctx: AppContext): void {
  const origin = (request: FastifyRequest) => publicUrlOf(request, ctx.config)
  app.route(
    fromContract(fsUploadRoutes.multipartInit, async ({ body, request }) => {
      const sizes = { sizeBytes: body.fileSize, partSizeBytes: body.partSize }
      const input = { path: body.path, fileName: body.fileName, ...sizes }
      const begun = await startMultipart(ctx, actorOf(request), input)
      return { data: presentMultipart(begun, origin(request)) }
    }),
  )
  app.route(
    fromContract(fsUploadRoutes.multipartParts, async ({ query, request }) => {
      const input = { id: query.uploadId, hints: query }
      const { plan, parts, urls, isCompleted, expiresAtMs } = await readProgress(ctx, actorOf(request), input)
      return {
        data: {
          parts: parts.map(({ partNumber, sizeBytes, etag }) => ({ partNumber, size: sizeBytes, etag })),
          partSize: plan.partSizeBytes,
          partCount: plan.partCount,
          fileSize: plan.sizeBytes,
          presignedUrls: presentUrls(urls, origin(request)),
          isCompleted,
          expiresAt: toInstant(expiresAtMs),
        },
      }
    }),
  )
  app.route(
    fromContract(fsUploadRoutes.multipartUploads, async ({ query, request }) => ({
      data: { uploads: (await listUploads(ctx, actorOf(request), query)).map(presentUpload) },
    })),
  )
  app.route(
    fromContract(
      fsUploadRoutes.multipartComplete,
      async ({ body, request }) => {
        const input = { id: body.uploadId, hints: body, sizeBytes: body.fileSize, parts: body.parts ?? [] }
        const done = await completeMultipart(ctx, actorOf(request), input)
        return { data: presentFinished(done, origin(request)) }
      },
      { bodyLimit: COMPLETE_BODY_LIMIT },
    ),
  )
  app.route(
    fromContract(fsUploadRoutes.multipartAbort, async ({ body, request }) => {
      await abortMultipart(ctx, actorOf(request), { id: body.uploadId, hints: body })
      return { data: { success: true as const, message: 'OK' } }
    }),
  )
}

export async function fsUploadsPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  await app.register(sessions, { ctx })
  await app.register(formUploads, { ctx })
  await app.register(rawUploads, { ctx })
  await app.register(rawParts, { ctx })
}
