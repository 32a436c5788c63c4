import { filePartRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { announcedBytes } from '../../../http/bodies/forms.ts'
import { leaveBodiesRaw } from '../../../http/bodies/raw-bodies.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../http/core/urls.ts'
import { absoluteUrl } from '../../../lib/urls.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { presentCommitted } from '../files/files.presenters.ts'
import { stillShares } from '../files/uploads/still-shares.http.ts'
import { abortParts } from '../url-import/url-uploads.usecases.ts'
import {
  beginFileParts,
  completeFileParts,
  lookAtFileParts,
  receiveFilePart,
  roomOfStorage,
} from './file-parts.usecases.ts'

interface Cut {
  readonly sizeBytes: number
  readonly plan: { readonly partSizeBytes: number; readonly partCount: number }
  readonly urls: ReadonlyArray<{ partNumber: number; url: string }>
}

/** Registers the route that receives a part. Its body is not parsed. */
async function rawParts(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  leaveBodiesRaw(app)
  app.route(
    fromContract(filePartRoutes.part, async ({ query, request }) => {
      const etag = await receiveFilePart(ctx, actorOf(request), {
        fileId: query.file_id,
        partNumber: query.part_number,
        source: request.raw,
        sizeBytes: announcedBytes(request),
        requireMay: stillShares(request),
      })
      return { data: { part_number: query.part_number, etag } }
    }),
  )
}

export async function filePartsPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  const origin = (request: FastifyRequest) => publicUrlOf(request, ctx.config)
  const presentCut = (request: FastifyRequest, { sizeBytes, plan, urls }: Cut) => ({
    size: sizeBytes,
    part_size: plan.partSizeBytes,
    part_count: plan.partCount,
    presigned_urls: urls.map(({ partNumber, url }) => ({
      partNumber,
      url: absoluteUrl(origin(request), url),
    })),
  })
  app.route(
    fromContract(filePartRoutes.init, async ({ body, request }) => {
      const begun = await beginFileParts(ctx, actorOf(request), body)
      return { data: { file_id: begun.row.id, slug: begun.slug, ...presentCut(request, begun) } }
    }),
  )
  app.route(
    fromContract(filePartRoutes.parts, async ({ query, request }) => {
      const progress = await lookAtFileParts(ctx, actorOf(request), { fileId: query.file_id })
      return {
        data: {
          ...presentCut(request, progress),
          parts: progress.parts.map(({ partNumber, sizeBytes, etag }) => ({
            partNumber,
            size: sizeBytes,
            etag,
          })),
          is_completed: progress.isCompleted,
        },
      }
    }),
  )
  app.route(
    fromContract(filePartRoutes.complete, async ({ body, request }) => {
      const row = await completeFileParts(ctx, actorOf(request), { fileId: body.file_id })
      return { data: await presentCommitted(ctx, row, origin(request)) }
    }),
  )
  app.route(
    fromContract(filePartRoutes.abort, async ({ body, request }) => {
      await abortParts(ctx, actorOf(request), { fileId: body.file_id })
      return {}
    }),
  )
  app.route(
    fromContract(filePartRoutes.room, async ({ query, request }) => ({
      data: { remaining_bytes: await roomOfStorage(ctx, actorOf(request), query.s3_config_id) },
    })),
  )
  await app.register(rawParts, { ctx })
}
