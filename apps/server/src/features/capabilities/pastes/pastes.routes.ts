import {
  PASTE_CONTENT_MAX_BYTES,
  PASTE_PREVIEW_CHARACTERS,
  managedPasteRoutes,
  pasteRoutes,
} from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { clientNetwork } from '../../../http/core/client-address.ts'
import { toBit } from '../../../lib/bits.ts'
import { idOfCreation } from '../../../http/idempotency/idempotency.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { forbidScripts } from '../../../http/bodies/security-headers.ts'
import { keyNamesOf } from '../../foundation/identity/api-keys.usecases.ts'
import { type Actor, creatorOf } from '../../foundation/identity/actor.models.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { allSharesQuery, ownSharesQuery } from '../../foundation/identity/share-queries.models.ts'
import { openingNotesOf } from '../../foundation/share-opening/share-opening.usecases.ts'
import { deleteMatchingPastes } from './matching-pastes.usecases.ts'
import {
  deletedMessage,
  type OwnedRow,
  type OwnerFacts,
  presentCreated,
  presentKeyInfo,
  presentOutside,
  presentOwned,
  presentReadable,
  presentUpdated,
  preview,
} from './pastes.presenters.ts'
import { checkPaste, checkRaw, readPaste, readRaw, unlockPaste } from './reading-pastes.usecases.ts'
import {
  createPaste,
  deletePaste,
  deletePastes,
  getOwnPaste,
  listPastes,
  purgeOverPastes,
  updatePaste,
} from './pastes.usecases.ts'

/** JSON can escape each character of the text as `\uXXXX`, which takes six bytes. */
const BODY_LIMIT = 6 * PASTE_CONTENT_MAX_BYTES

/** Loads the names of the API keys that created the shares, and the opening notes of the shares. */
async function factsOf(ctx: AppContext, rows: readonly OwnedRow[]): Promise<OwnerFacts> {
  const [keyName, notes] = await Promise.all([
    keyNamesOf(
      ctx,
      rows.map((row) => row.created_by),
    ),
    openingNotesOf(ctx, rows),
  ])
  return { keyName, notes }
}

async function presentDetail(ctx: AppContext, actor: Actor, idOrSlug: string) {
  const { row, password } = await getOwnPaste(ctx, actor, idOrSlug)
  return {
    ...presentOwned(row, await factsOf(ctx, [row])),
    content: row.content,
    has_password: toBit(row.password_hash !== null),
    views: row.views,
    plain_password: password,
  }
}

const visitOf = (request: FastifyRequest, slug: string) => ({
  slug,
  userAgent: request.headers['user-agent'] ?? '',
})

function visitorRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(
      pasteRoutes.read,
      async ({ params, request, reply }) => {
        reply.header('cache-control', 'no-store')
        const visit = visitOf(request, params.slug)
        if (request.method === 'HEAD') {
          await checkPaste(ctx, visit)
          return reply.type('application/json; charset=utf-8').send()
        }
        const { kind, row } = await readPaste(ctx, visit)
        if (kind === 'locked') return { ...presentOutside(row), requiresPassword: true as const }
        return presentReadable(row)
      },
      { withHead: true },
    ),
  )
  app.route(
    fromContract(pasteRoutes.unlock, async ({ params, body, request, reply }) => {
      reply.header('cache-control', 'no-store')
      const guess = { password: body.password, network: clientNetwork(request) }
      return presentReadable(await unlockPaste(ctx, visitOf(request, params.slug), guess))
    }),
  )
  app.route(
    fromContract(
      pasteRoutes.raw,
      async ({ params, query, request, reply }) => {
        forbidScripts(reply)
        const guess = { password: query.password, network: clientNetwork(request) }
        const visit = visitOf(request, params.slug)
        if (request.method === 'HEAD') {
          await checkRaw(ctx, visit, guess)
          return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send()
        }
        const row = await readRaw(ctx, visit, guess)
        return reply
          .header('cache-control', 'no-store')
          .header('content-disposition', `inline; filename="${row.slug}.txt"`)
          .type('text/plain; charset=utf-8')
          .send(row.content)
      },
      { withHead: true },
    ),
  )
}

function adminRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(managedPasteRoutes.adminList, async ({ query }) => {
      const { page, limit } = query
      const { rows, total } = await listPastes(ctx, {
        query: allSharesQuery(query),
        sort: query.sort,
        order: query.order,
        limit,
        offset: (page - 1) * limit,
        previewCharacters: PASTE_PREVIEW_CHARACTERS + 1,
      })
      const facts = await factsOf(ctx, rows)
      return {
        data: rows.map((row) =>
          Object.assign(presentOwned(row, facts), {
            has_password: toBit(row.has_password),
            view_count: row.views,
            content_preview: preview(row.content),
          }),
        ),
        pagination: { total, page, limit, totalPages: Math.ceil(total / limit) },
      }
    }),
  )
  app.route(
    fromContract(pasteRoutes.adminRead, async ({ params, request }) => ({
      data: await presentDetail(ctx, actorOf(request), params.id),
    })),
  )
  app.route(
    fromContract(
      pasteRoutes.adminUpdate,
      async ({ params, body, request }) => ({
        data: presentUpdated(await updatePaste(ctx, actorOf(request), params.id, body)),
      }),
      { bodyLimit: BODY_LIMIT },
    ),
  )
  app.route(
    fromContract(managedPasteRoutes.adminDelete, async ({ params, request }) => {
      await deletePaste(ctx, actorOf(request), params.id)
      return {}
    }),
  )
  app.route(
    fromContract(managedPasteRoutes.adminBatchDelete, async ({ body, request }) => {
      const deleted = await deletePastes(ctx, actorOf(request), body.ids)
      return { data: { deleted }, message: deletedMessage(request.headers['accept-language'], deleted) }
    }),
  )
  app.route(
    fromContract(managedPasteRoutes.adminDeleteMatching, async ({ body, request }) => ({
      data: await deleteMatchingPastes(ctx, actorOf(request), allSharesQuery(body)),
    })),
  )
  app.route(
    fromContract(managedPasteRoutes.clearExpired, async ({ request }) => {
      const deleted = await purgeOverPastes(ctx)
      return { data: { deleted }, message: deletedMessage(request.headers['accept-language'], deleted) }
    }),
  )
}

/** Maximum total length of the full texts on a page, in characters. */
const USER_LIST_CHARACTERS = 10_000_000

function userRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(managedPasteRoutes.userList, async ({ query, request }) => {
      const actor = actorOf(request)
      const { limit, offset } = query
      const { rows, total } = await listPastes(ctx, {
        query: ownSharesQuery(actor, query),
        sort: query.sort,
        order: query.order,
        limit,
        offset,
        previewCharacters: Math.floor(USER_LIST_CHARACTERS / limit),
      })
      const facts = await factsOf(ctx, rows)
      return {
        data: rows.map((row) => ({
          ...presentOwned(row, facts),
          has_password: toBit(row.has_password),
          views: row.views,
          content: row.content,
        })),
        pagination: { total, limit, offset, hasMore: offset + rows.length < total },
        key_info: presentKeyInfo(actor),
      }
    }),
  )
  app.route(
    fromContract(pasteRoutes.userRead, async ({ params, request }) => {
      const detail = await presentDetail(ctx, actorOf(request), params.id)
      return { data: { ...detail, has_password: detail.has_password === 1 } }
    }),
  )
  app.route(
    fromContract(
      pasteRoutes.userUpdate,
      async ({ params, body, request }) => ({
        data: presentUpdated(await updatePaste(ctx, actorOf(request), params.id, body)),
      }),
      { bodyLimit: BODY_LIMIT },
    ),
  )
  app.route(
    fromContract(managedPasteRoutes.userDelete, async ({ params, request }) => {
      await deletePaste(ctx, actorOf(request), params.id)
      return {}
    }),
  )
  app.route(
    fromContract(managedPasteRoutes.userBatchDelete, async ({ body, request }) => {
      const deleted = await deletePastes(ctx, actorOf(request), body.ids)
      return { data: { deleted }, message: deletedMessage(request.headers['accept-language'], deleted) }
    }),
  )
}

function userMatchingRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(managedPasteRoutes.userDeleteMatching, async ({ body, request }) => {
      const actor = actorOf(request)
      return { data: await deleteMatchingPastes(ctx, actor, ownSharesQuery(actor, body)) }
    }),
  )
  app.route(
    fromContract(managedPasteRoutes.userClearExpired, async ({ request }) => {
      const deleted = await purgeOverPastes(ctx, { createdBy: creatorOf(actorOf(request)) })
      return { data: { deleted }, message: deletedMessage(request.headers['accept-language'], deleted) }
    }),
  )
}

export async function pastesPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(
      pasteRoutes.create,
      async ({ body, request }) => {
        const actor = actorOf(request)
        const id = idOfCreation(request, creatorOf(actor))
        return presentCreated(await createPaste(ctx, actor, { ...body, id }), actor)
      },
      { bodyLimit: BODY_LIMIT },
    ),
  )
  visitorRoutes(app, ctx)
  adminRoutes(app, ctx)
  userRoutes(app, ctx)
  userMatchingRoutes(app, ctx)
}
