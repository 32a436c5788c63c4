import { fileErrors, fileRoutes, uploadOptions, type UploadOptions } from '@dropleaf/contract'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { AppContext } from '../../../../context.ts'
import { nameForAudit } from '../../../../http/audit/audit.ts'
import { announcedBytes, queryOf, readForm } from '../../../../http/bodies/forms.ts'
import { leaveBodiesRaw } from '../../../../http/bodies/raw-bodies.ts'
import { applyConditionPolicy } from '../../../../http/bodies/write-conditions.ts'
import { fromContract, InvalidRequestError } from '../../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../../http/core/urls.ts'
import { parseMeasured } from '../../../../lib/bodies/json-gauge.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { actorOf } from '../../../foundation/identity/request-actor.http.ts'
import { presentCommitted, presentPresigned, presentUploaded } from '../files.presenters.ts'
import { receiveRawUpload, receiveUpload } from './receive.usecases.ts'
import { commitUpload, presignUpload } from './signed-uploads.usecases.ts'
import { stillShares } from './still-shares.http.ts'
import { placementOf, shareSettingsOf } from './uploads.usecases.ts'

/** Parses the form field in which some clients send all options as JSON. Separate fields take precedence. */
function readOptionsField(text: string | undefined): object {
  if (text === undefined || text.trim() === '') return {}
  const issue = {
    code: 'custom' as const,
    path: ['options'],
    message: 'must be a JSON object',
    input: text.slice(0, 80),
  }
  try {
    const value = parseMeasured(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    throw new InvalidRequestError('form', [issue])
  }
  throw new InvalidRequestError('form', [issue])
}

function parseOptions(query: object, fields: ReadonlyMap<string, string>): UploadOptions {
  const { options, ...others } = Object.fromEntries(fields)
  const result = z.safeParse(uploadOptions, { ...query, ...readOptionsField(options), ...others })
  if (!result.success) throw new InvalidRequestError('form', result.error.issues)
  return result.data
}

async function receiveForm(ctx: AppContext, request: FastifyRequest, query: object) {
  const form = readForm(request)
  const file = await form.nextFile()
  if (!file) throw new AppError(fileErrors.empty_upload)
  nameForAudit(request, file.filename)
  const order = () => {
    const options = parseOptions(query, form.fields)
    return {
      place: { ...placementOf(options), filename: file.filename, sizeBytes: null },
      settings: shareSettingsOf(options),
    }
  }
  const row = await receiveUpload(ctx, actorOf(request), {
    place: order().place,
    source: file.file,
    requireMay: stillShares(request),
    async completeOrder() {
      await form.finish()
      return order()
    },
  })
  return { row, keepsName: order().place.keepsName }
}

/** Registers routes whose body is the file itself and is not parsed. */
async function rawUploads(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  leaveBodiesRaw(app, { conditions: 'new' })
  app.route(
    fromContract(fileRoutes.uploadDirect, async ({ params, query, request }) => {
      const row = await receiveRawUpload(ctx, actorOf(request), {
        filename: params.filename,
        sizeBytes: announcedBytes(request) ?? null,
        options: query,
        source: request.raw,
        requireMay: stillShares(request),
      })
      return {
        data: await presentUploaded(ctx, row, {
          origin: publicUrlOf(request, ctx.config),
          keepsName: placementOf(query).keepsName,
        }),
      }
    }),
  )
}

async function formUploads(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  await app.register(multipart)
  applyConditionPolicy(app, 'new')
  app.route(
    fromContract(fileRoutes.uploadForm, async ({ request }) => {
      if (!request.isMultipart()) throw new AppError(fileErrors.empty_upload)
      const { row, keepsName } = await receiveForm(ctx, request, queryOf(request))
      return {
        data: await presentUploaded(ctx, row, { origin: publicUrlOf(request, ctx.config), keepsName }),
      }
    }),
  )
}

export async function uploadsPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(fileRoutes.presign, async ({ body, request }) => {
      const { reservation, uploadUrl } = await presignUpload(ctx, actorOf(request), body)
      return {
        data: presentPresigned(reservation, { uploadUrl, origin: publicUrlOf(request, ctx.config) }),
      }
    }),
  )
  app.route(
    fromContract(fileRoutes.commit, async ({ body, request }) => {
      const row = await commitUpload(ctx, actorOf(request), body)
      return { data: await presentCommitted(ctx, row, publicUrlOf(request, ctx.config)) }
    }),
  )
  await app.register(rawUploads, { ctx })
  await app.register(formUploads, { ctx })
}
