import { createReadStream } from 'node:fs'
import { fsThumbnailRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { forbidScripts } from '../../../http/bodies/security-headers.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { getThumbnail } from './thumbnails.usecases.ts'

/** A URL with a version can be cached forever, since its image never changes. */
const FOR_EVER = 'private, max-age=31536000, immutable'
const ASK_EACH_TIME = 'private, no-cache'

export async function thumbnailsPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(fsThumbnailRoutes.thumbnail, async ({ query, request, reply }) => {
      const input = { path: query.path, edgePx: query.size }
      const thumbnail = await getThumbnail(ctx, actorOf(request), input)
      if (!thumbnail) return reply.code(204).header('cache-control', ASK_EACH_TIME).send()
      const tag = `"${thumbnail.tag}"`
      forbidScripts(reply)
      reply
        .header('etag', tag)
        .header('vary', 'Authorization')
        .header('cache-control', query.v === thumbnail.sourceEtag ? FOR_EVER : ASK_EACH_TIME)
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      reply.header('content-length', thumbnail.sizeBytes).type('image/webp')
      return reply.send(createReadStream(thumbnail.path))
    }),
  )
}
