import { bundleObjectRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../../context.ts'
import { announcedBytes } from '../../../../http/bodies/forms.ts'
import { leaveBodiesRaw } from '../../../../http/bodies/raw-bodies.ts'
import { fromContract } from '../../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../../http/core/urls.ts'
import { absoluteUrl } from '../../../../lib/urls.ts'
import { actorOf } from '../../../foundation/identity/request-actor.http.ts'
import type { FileRow } from '../../files/files.table.ts'
import { stillShares } from '../../files/uploads/still-shares.http.ts'
import {
  beginObjects,
  completeObject,
  lookAtObject,
  receiveObject,
  receiveObjectPart,
  removeObject,
} from './bundle-uploads.usecases.ts'

const presentObject = ({ object_number, filename, size_bytes, mimetype, etag, sha256 }: FileRow) => ({
  n: object_number ?? 0,
  filename,
  size: size_bytes,
  mimetype,
  etag,
  sha256,
})

interface Cut {
  readonly sizeBytes: number
  readonly plan: { readonly partSizeBytes: number; readonly partCount: number }
  readonly urls: ReadonlyArray<{ partNumber: number; url: string }>
}

const presentCut = (origin: string, { sizeBytes, plan, urls }: Cut) => ({
  size: sizeBytes,
  part_size: plan.partSizeBytes,
  part_count: plan.partCount,
  presigned_urls: urls.map(({ partNumber, url }) => ({ partNumber, url: absoluteUrl(origin, url) })),
})

/** Registers the routes whose body is the raw bytes of an object or of one of its parts. */
async function rawObjects(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  leaveBodiesRaw(app)
  app.route(
    fromContract(bundleObjectRoutes.put, async ({ params, query, request }) => {
      const row = await receiveObject(ctx, actorOf(request), {
        bundleId: params.id,
        n: params.n,
        filename: query.filename,
        configId: query.s3_config_id,
        folder: query.path,
        source: request.raw,
        sizeBytes: announcedBytes(request) ?? null,
        requireMay: stillShares(request),
      })
      return { data: presentObject(row) }
    }),
  )
  app.route(
    fromContract(bundleObjectRoutes.part, async ({ params, request }) => {
      const etag = await receiveObjectPart(ctx, actorOf(request), {
        bundleId: params.id,
        n: params.n,
        partNumber: params.part,
        source: request.raw,
        sizeBytes: announcedBytes(request),
        requireMay: stillShares(request),
      })
      return { data: { part_number: params.part, etag } }
    }),
  )
}

export async function bundleUploadsPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  const origin = (request: FastifyRequest) => publicUrlOf(request, ctx.config)
  app.route(
    fromContract(bundleObjectRoutes.begin, async ({ params, body, request }) => {
      const begun = await beginObjects(ctx, actorOf(request), params.id, body)
      return { data: { objects: begun.map((one) => ({ n: one.n, ...presentCut(origin(request), one) })) } }
    }),
  )
  app.route(
    fromContract(bundleObjectRoutes.parts, async ({ params, request }) => {
      const named = { bundleId: params.id, n: params.n }
      const progress = await lookAtObject(ctx, actorOf(request), named)
      return {
        data: {
          ...presentCut(origin(request), progress),
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
    fromContract(bundleObjectRoutes.complete, async ({ params, request }) => {
      const named = { bundleId: params.id, n: params.n }
      return { data: presentObject(await completeObject(ctx, actorOf(request), named)) }
    }),
  )
  app.route(
    fromContract(bundleObjectRoutes.remove, async ({ params, request }) => {
      await removeObject(ctx, actorOf(request), { bundleId: params.id, n: params.n })
      return {}
    }),
  )
  await app.register(rawObjects, { ctx })
}
