import { FS_TEXT_MAX_LENGTH, fsFileRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../../context.ts'
import { fromContract } from '../../../../http/core/route-adapter.ts'
import { sendFileBytes } from '../../../../http/bodies/send-file.ts'
import { publicUrlOf } from '../../../../http/core/urls.ts'
import { nameOf } from '../../../../lib/object-names.ts'
import { actorOf } from '../../../foundation/identity/request-actor.http.ts'
import { makeFolder } from './folders.usecases.ts'
import { presentEntry } from '../fs.presenters.ts'
import { type FoundFile, getEntry, getFile } from './reading.usecases.ts'
import { updateText } from './writing.usecases.ts'

/** JSON can escape each character of the text as `\uXXXX`, which takes six bytes. */
const UPDATE_BODY_LIMIT = 6 * FS_TEXT_MAX_LENGTH + 64 * 1024

const sendFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  { file: { place, key, stat }, isSaved }: { file: FoundFile; isSaved: boolean },
): Promise<FastifyReply> =>
  sendFileBytes(request, reply, {
    name: nameOf(key),
    stat,
    isSaved,
    open: (range) => place.driver.read(key, { range, sizeBytes: stat.sizeBytes }),
  })

export async function fsFilesPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(fsFileRoutes.get, async ({ query, request }) => {
      const actor = actorOf(request)
      const entry = await getEntry(ctx, actor, query.path)
      return { data: await presentEntry(ctx, { actor, entry, origin: publicUrlOf(request, ctx.config) }) }
    }),
  )
  app.route(
    fromContract(
      fsFileRoutes.download,
      async ({ query, request, reply }) => {
        const file = await getFile(ctx, actorOf(request), query.path)
        return sendFile(request, reply, { file, isSaved: query.download })
      },
      { withHead: true },
    ),
  )
  app.route(
    fromContract(fsFileRoutes.mkdir, async ({ body, request }) => {
      await makeFolder(ctx, actorOf(request), body.path)
      return {}
    }),
  )
  app.route(
    fromContract(
      fsFileRoutes.update,
      async ({ body, request }) => {
        const file = await updateText(ctx, actorOf(request), body)
        return {
          data: {
            success: true as const,
            path: file.key,
            etag: file.stat.etag,
            size: file.stat.sizeBytes,
            contentType: file.contentType,
            isNewFile: file.isNew,
            message: 'OK',
          },
        }
      },
      { bodyLimit: UPDATE_BODY_LIMIT },
    ),
  )
}
