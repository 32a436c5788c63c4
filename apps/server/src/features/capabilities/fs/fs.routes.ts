import { fsPropertiesRoutes, fsRoutes, fsShareRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../http/core/urls.ts'
import { absoluteUrl } from '../../../lib/urls.ts'
import { toInstant } from '../../../lib/clock.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { presentCommitted } from '../files/files.presenters.ts'
import { findShareOf } from '../files/linked-shares.usecases.ts'
import { fsFilesPlugin } from './files/fs-files.routes.ts'
import { presentProperties } from './fs.presenters.ts'
import { fsUploadsPlugin } from './uploads/fs-uploads.routes.ts'
import { linkFile } from './files/links.usecases.ts'
import { readProperties } from './files/properties.usecases.ts'
import { shareFile } from './files/sharing.usecases.ts'

export async function fsPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(fsRoutes.link, async ({ query, request }) => {
      const link = await linkFile(ctx, actorOf(request), {
        path: query.path,
        isDownload: query.force_download,
        expiresInSeconds: query.expires_in,
      })
      return {
        data: {
          success: true as const,
          presignedUrl: absoluteUrl(publicUrlOf(request, ctx.config), link.url),
          name: link.name,
          expiresIn: link.expiresInSeconds,
          expiresAt: toInstant(link.expiresAtMs),
          forceDownload: query.force_download,
        },
      }
    }),
  )
  app.route(
    fromContract(fsShareRoutes.share, async ({ body, request }) => {
      const row = await shareFile(ctx, actorOf(request), body)
      return { data: await presentCommitted(ctx, row, publicUrlOf(request, ctx.config)) }
    }),
  )
  app.route(
    fromContract(fsPropertiesRoutes.properties, async ({ query, request }) => {
      const actor = actorOf(request)
      const properties = await readProperties(ctx, actor, query.path)
      const { entry } = properties
      const object = entry.kind === 'file' ? { configId: entry.place.config.id, key: entry.stat.key } : null
      const share = object && (await findShareOf(ctx, actor, object))
      return { data: presentProperties(properties, share) }
    }),
  )
  await app.register(fsFilesPlugin, { ctx })
  await app.register(fsUploadsPlugin, { ctx })
}
