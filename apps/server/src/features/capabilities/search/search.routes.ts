import { searchRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { toInstant } from '../../../lib/clock.ts'
import { inferMimeType } from '../../../lib/mime.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { listIndexStatus, rebuildIndex } from '../../foundation/object-index/index-status.usecases.ts'
import type { Match } from './search.models.ts'
import { searchFiles } from './search.usecases.ts'

const presentMatch = ({ mount, ...match }: Match) => ({
  name: match.name,
  path: match.path,
  size: match.sizeBytes,
  modified: toInstant(match.modifiedAtMs),
  isDirectory: false as const,
  contentType: inferMimeType(match.name),
  mount_id: mount.id,
  mount_name: mount.name,
  storage_type: mount.storage_type,
  s3_key: match.key,
})

export async function searchPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(searchRoutes.search, async ({ query, request }) => {
      const answer = await searchFiles(ctx, actorOf(request), query)
      return {
        data: {
          results: answer.matches.map(presentMatch),
          total: answer.total,
          hasMore: answer.hasMore,
          complete: answer.isComplete,
          searchParams: {
            query: query.q,
            scope: query.scope,
            mountId: query.mount_id,
            path: query.path,
            limit: answer.limit,
            offset: query.offset,
          },
          mountsSearched: answer.mountsSearched,
        },
      }
    }),
  )
  app.route(fromContract(searchRoutes.indexes, async () => ({ data: await listIndexStatus(ctx) })))
  app.route(
    fromContract(searchRoutes.rebuild, async ({ params }) => ({
      data: await rebuildIndex(ctx, params.configId),
    })),
  )
}
