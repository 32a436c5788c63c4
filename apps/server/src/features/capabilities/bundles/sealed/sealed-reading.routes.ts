import { bundleErrors, bundleReadingRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../../context.ts'
import { sendBytes } from '../../../../http/bodies/send-bytes.ts'
import { fromContract } from '../../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../../http/core/urls.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { contentDisposition } from '../../../../lib/bodies/content-headers.ts'
import { toInstant, toInstantOrNull } from '../../../../lib/clock.ts'
import { readBytes } from '../../files/files.usecases.ts'
import { presentSeal } from './seal.models.ts'
import { addressObjects, findSealedObjects, lookAtBundle } from './sealed-reading.usecases.ts'

const NO_STORE = 'private, no-store'

function objectRoute(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(
      bundleReadingRoutes.object,
      async ({ params, query, request, reply }) => {
        const asked = { slug: params.slug, ticket: query.ticket, numbers: [params.n] }
        const [row] = await findSealedObjects(ctx, asked)
        if (!row) throw new AppError(bundleErrors.object_missing)
        return sendBytes(request, reply, {
          sizeBytes: row.size_bytes,
          etag: row.etag ?? row.id,
          modifiedAtMs: row.committed_at_ms ?? row.created_at_ms,
          contentType: 'application/octet-stream',
          contentDisposition: contentDisposition('attachment', `${params.n}.dls`),
          cacheControl: NO_STORE,
          open: (range) => readBytes(ctx, row, { range }),
        })
      },
      { withHead: true },
    ),
  )
}

export async function sealedReadingPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(bundleReadingRoutes.look, async ({ params, reply }) => {
      reply.header('cache-control', NO_STORE)
      const row = await lookAtBundle(ctx, params.slug)
      return {
        data: {
          id: row.id,
          ...presentSeal(row),
          requires_password: row.password_hash !== null || row.kdf !== null,
          requires_pin: row.pin_hash !== null,
          opening: row.opening,
          expires_at: toInstantOrNull(row.expires_at_ms),
        },
      }
    }),
  )
  app.route(
    fromContract(bundleReadingRoutes.addresses, async ({ params, body, request, reply }) => {
      reply.header('cache-control', NO_STORE)
      const { ticket, objects: numbers } = body
      const origin = publicUrlOf(request, ctx.config)
      const relay = (n: number) =>
        `${origin}/api/bundles/${params.slug}/objects/${n}?${new URLSearchParams({ ticket })}`
      const addresses = await addressObjects(ctx, { slug: params.slug, ticket, numbers })
      return {
        data: addresses.map(({ n, sizeBytes, url, expiresAtMs }) => ({
          n,
          size: sizeBytes,
          url: url ?? relay(n),
          expires_at: toInstant(expiresAtMs),
          relay_url: relay(n),
        })),
      }
    }),
  )
  objectRoute(app, ctx)
}
