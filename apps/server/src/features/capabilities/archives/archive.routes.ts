import { authErrors, fsArchiveRoutes, fsErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { languageOf } from '../../../messages/index.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../http/core/urls.ts'
import { AppError } from '../../../lib/app-error.ts'
import { toInstant } from '../../../lib/clock.ts'
import { contentDisposition } from '../../../lib/bodies/content-headers.ts'
import { type Actor, creatorOf } from '../../foundation/identity/actor.models.ts'
import { findCreator } from '../../foundation/identity/authenticate.usecases.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { type ArchiveRequest, openArchive, prepareArchive } from './archive.usecases.ts'

const TICKET_KIND = 'archive'
const TICKET_SECONDS = 300

interface TicketPayload {
  readonly creator: string
  readonly request: ArchiveRequest
}

interface Sending {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export async function fsArchivePlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  async function send(actor: Actor, wanted: ArchiveRequest, { request, reply }: Sending) {
    const name = await prepareArchive(ctx, actor, wanted)
    const language = languageOf(request.headers['accept-language'])
    return reply
      .header('content-disposition', contentDisposition('attachment', name))
      .header('cache-control', 'no-store')
      .type('application/zip')
      .send(await openArchive(ctx, actor, { ...wanted, language }))
  }

  app.route(
    fromContract(fsArchiveRoutes.stream, async ({ body, request, reply }) =>
      send(actorOf(request), body, { request, reply }),
    ),
  )
  app.route(
    fromContract(fsArchiveRoutes.ticket, async ({ body, request }) => {
      const actor = actorOf(request)
      const name = await prepareArchive(ctx, actor, body)
      const payload: TicketPayload = { creator: creatorOf(actor), request: body }
      const ticket = await ctx.tickets.issue(TICKET_KIND, payload, { seconds: TICKET_SECONDS })
      const origin = publicUrlOf(request, ctx.config)
      return {
        data: {
          url: `${origin}/api/fs/archive/${ticket.token}`,
          expiresAt: toInstant(ticket.expiresAtMs),
          name,
        },
      }
    }),
  )
  app.route(
    fromContract(fsArchiveRoutes.download, async ({ params, request, reply }) => {
      const payload = (await ctx.tickets.take(TICKET_KIND, params.ticket)) as TicketPayload | undefined
      if (!payload) throw new AppError(fsErrors.ticket_invalid)
      const actor = await findCreator(ctx, payload.creator)
      if (!actor) throw new AppError(authErrors.unauthorized)
      if (actor.kind === 'key' && !actor.canMount) throw new AppError(authErrors.forbidden)
      return send(actor, payload.request, { request, reply })
    }),
  )
}
