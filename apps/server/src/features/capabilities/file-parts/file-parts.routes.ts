import { filePartRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../http/core/urls.ts'
import { absoluteUrl } from '../../../lib/urls.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { presentCommitted } from '../files/files.presenters.ts'
import { abortParts } from '../url-import/url-uploads.usecases.ts'
import { beginFileParts, completeFileParts, lookAtFileParts } from './file-parts.usecases.ts'

interface Cut {
  readonly sizeBytes: number
  readonly plan: { readonly partSizeBytes: number; readonly partCount: number }
  readonly urls: ReadonlyArray<{ partNumber: number; url: string }>
}

/** Uploads of shares in parts. */
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
      const progress = await lookAtFileParts(ctx, actorOf(request), query.file_id)
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
      const row = await completeFileParts(ctx, actorOf(request), body.file_id)
      return { data: await presentCommitted(ctx, row, origin(request)) }
    }),
  )
  app.route(
    fromContract(filePartRoutes.abort, async ({ body, request }) => {
      await abortParts(ctx, actorOf(request), { fileId: body.file_id })
      return {}
    }),
  )
}
