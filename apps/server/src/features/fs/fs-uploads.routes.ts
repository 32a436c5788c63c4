import { fileErrors, fsUploadFields, fsUploadRoutes } from '@dropleaf/contract'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { AppContext } from '../../context.ts'
import { announcedBytes, queryOf, readForm } from '../../http/forms.ts'
import { fromContract, InvalidRequestError } from '../../http/route-adapter.ts'
import { originOf } from '../../http/urls.ts'
import { AppError } from '../../lib/app-error.ts'
import { actorOf } from '../auth/request-actor.models.ts'
import { presentStored } from './fs.presenters.ts'
import { getPlace } from './places.usecases.ts'
import { placeOfUpload, writeFile, type WrittenFile } from './writing.usecases.ts'

/** The fields that came before the file. @throws {InvalidRequestError} also for a path that is yet to come */
function parseFields(request: FastifyRequest, fields: ReadonlyMap<string, string>) {
  const result = z.safeParse(fsUploadFields, { ...queryOf(request), ...Object.fromEntries(fields) })
  if (result.success) return result.data
  const message = 'must stand in the form, before the file'
  throw new InvalidRequestError(
    'form',
    fields.has('path')
      ? result.error.issues
      : [{ code: 'custom', path: ['path'], message, input: undefined }],
  )
}

async function receiveForm(ctx: AppContext, request: FastifyRequest): Promise<WrittenFile> {
  if (!request.isMultipart()) throw new AppError(fileErrors.empty_upload)
  const form = readForm(request)
  const file = await form.nextFile()
  if (!file) throw new AppError(fileErrors.empty_upload)
  const fields = parseFields(request, form.fields)
  const actor = actorOf(request)
  const place = await placeOfUpload(ctx, actor, { path: fields.path, fileName: file.filename })
  return writeFile(ctx, place, { source: file.file, beforeEnd: () => form.finish() })
}

async function formUploads(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  await app.register(multipart)
  app.route(
    fromContract(fsUploadRoutes.form, async ({ request }) => {
      const file = await receiveForm(ctx, request)
      return { data: presentStored(ctx, file, originOf(request, ctx.config.publicUrl)) }
    }),
  )
}

/** Routes whose body is the file itself, of any type: nothing may parse it. */
async function rawUploads(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.route(
    fromContract(fsUploadRoutes.put, async ({ query, request }) => {
      const place = await getPlace(ctx, actorOf(request), query.path, 'write')
      const file = await writeFile(ctx, place, { source: request.raw, sizeBytes: announcedBytes(request) })
      return { data: presentStored(ctx, file, originOf(request, ctx.config.publicUrl)) }
    }),
  )
}

export async function fsUploadsPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  await app.register(formUploads, { ctx })
  await app.register(rawUploads, { ctx })
}
