import {
  bundleErrors,
  bundleReadingRoutes,
  OPEN_HEADER,
  OPEN_HEADER_VALUE,
  openingRoutes,
  type OpeningKind,
} from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { forbidScripts } from '../../../http/bodies/security-headers.ts'
import { clientOf } from '../../../http/core/client-address.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../http/core/urls.ts'
import { AppError } from '../../../lib/app-error.ts'
import { toInstant } from '../../../lib/clock.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { addressesOf, presentOpened } from '../bundles/reading/bundle-reading.presenters.ts'
import { withPresentFacts } from '../bundles/reading/present-facts.usecases.ts'
import { armOwnBundle, type OpenedBundle } from '../bundles/reading/opened-bundles.usecases.ts'
import { presentPublic } from '../files/files.presenters.ts'
import type { FileRow } from '../files/files.table.ts'
import { armFile, askLimitedFiles } from '../files/opened-files.usecases.ts'
import { armPaste, askLimitedPastes } from '../pastes/opened-pastes.usecases.ts'
import { presentReadable } from '../pastes/pastes.presenters.ts'
import { createIntent, springTrap } from './intents.usecases.ts'
import { bundleKind, fileKind, type OpenableKind, textKind } from './openable-kinds.usecases.ts'
import type { OpenableShare } from './opening.models.ts'
import { presentState } from './opening.presenters.ts'
import { lookAtShare, openAnyShare, openPlainly, openShare, takeShare } from './opening.usecases.ts'

const NO_STORE = 'no-store'

const isMeant = ({ headers }: FastifyRequest): boolean => headers[OPEN_HEADER] === OPEN_HEADER_VALUE

const wantsJson = ({ headers }: FastifyRequest): boolean => /\bapplication\/json\b/.test(headers.accept ?? '')

const sendData = (reply: FastifyReply, data: object): FastifyReply =>
  reply.type('application/json; charset=utf-8').send({ code: 200, message: 'OK', success: true, data })

const KINDS: Readonly<Record<OpeningKind, OpenableKind<OpenableShare, unknown>>> = {
  paste: textKind,
  file: fileKind,
  bundle: bundleKind,
}

const kindOf = (kind: OpeningKind): OpenableKind<OpenableShare, unknown> => KINDS[kind]

function intentRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(
      openingRoutes.state,
      async ({ params, reply }) => {
        reply.header('cache-control', NO_STORE)
        return { data: presentState(await lookAtShare(ctx, kindOf(params.kind), params.slug)) }
      },
      { withHead: true },
    ),
  )
  app.route(
    fromContract(openingRoutes.intent, async ({ params, request, reply }) => {
      reply.header('cache-control', NO_STORE)
      const { kind, slug } = params
      const { token, fromMs } = await createIntent(ctx, kindOf(kind), { slug, client: clientOf(request) })
      return { data: { intent: token, not_before: toInstant(fromMs) } }
    }),
  )
  app.route(
    fromContract(openingRoutes.trap, async ({ params, body, request, reply }) => {
      reply.header('cache-control', NO_STORE)
      const { kind, slug } = params
      await springTrap(ctx, kindOf(kind), { slug, token: body.intent, client: clientOf(request) })
      return {}
    }),
  )
}

function openingOfTexts(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(openingRoutes.openText, async ({ params, body, request, reply }) => {
      reply.header('cache-control', NO_STORE)
      const order = { ...body, slug: params.slug, client: clientOf(request) }
      return { data: presentReadable(await openShare(ctx, textKind, order)) }
    }),
  )
  app.route(
    fromContract(openingRoutes.takeText, async ({ params, body, request, reply }) => {
      reply.header('cache-control', NO_STORE)
      const order = { ...body, slug: params.slug, isMeant: isMeant(request), client: clientOf(request) }
      const row = await takeShare(ctx, textKind, order)
      if (wantsJson(request)) return sendData(reply, presentReadable(row))
      forbidScripts(reply)
      return reply
        .header('content-disposition', `inline; filename="${row.slug}.txt"`)
        .type('text/plain; charset=utf-8')
        .send(row.content)
    }),
  )
  app.route(
    fromContract(openingRoutes.armText, async ({ params, request }) => {
      await armPaste(ctx, actorOf(request), params.id)
      return {}
    }),
  )
  app.route(
    fromContract(openingRoutes.askLimitedTexts, async ({ request }) => ({
      data: { changed: await askLimitedPastes(ctx, actorOf(request)) },
    })),
  )
}

function openingOfFiles(app: FastifyInstance, ctx: AppContext): void {
  const present = (request: FastifyRequest, row: FileRow) =>
    presentPublic(ctx, { row, isLocked: false }, publicUrlOf(request, ctx.config))
  app.route(
    fromContract(openingRoutes.openFile, async ({ params, body, request, reply }) => {
      reply.header('cache-control', NO_STORE)
      const order = { ...body, slug: params.slug, client: clientOf(request) }
      return { data: await present(request, await openShare(ctx, fileKind, order)) }
    }),
  )
  app.route(
    fromContract(openingRoutes.takeFile, async ({ params, body, request, reply }) => {
      reply.header('cache-control', NO_STORE)
      const order = { ...body, slug: params.slug, isMeant: isMeant(request), client: clientOf(request) }
      const file = await present(request, await takeShare(ctx, fileKind, order))
      if (wantsJson(request)) return sendData(reply, file)
      // Status 303 makes the client request the bytes by GET.
      return reply.redirect(file.downloadUrl ?? '', 303)
    }),
  )
  app.route(
    fromContract(openingRoutes.armFile, async ({ params, request }) => {
      await armFile(ctx, actorOf(request), params.id)
      return {}
    }),
  )
  app.route(
    fromContract(openingRoutes.askLimitedFiles, async ({ request }) => ({
      data: { changed: await askLimitedFiles(ctx, actorOf(request)) },
    })),
  )
}

/**
 * Refuses a sealed bundle before a view is used, because the server cannot list its contents. @throws {AppError}
 * `bundle.is_sealed`, `bundle.not_found`
 */
async function requireReadable(ctx: AppContext, slug: string): Promise<void> {
  const { sealed } = await bundleKind.get(ctx, slug)
  if (sealed !== null) throw new AppError(bundleErrors.is_sealed)
}

function openingOfBundles(app: FastifyInstance, ctx: AppContext): void {
  const sendAddresses = (
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    opened: OpenedBundle,
  ) => {
    forbidScripts(reply)
    return reply
      .header('cache-control', NO_STORE)
      .type('text/plain; charset=utf-8')
      .send(`${addressesOf(ctx, opened, publicUrlOf(request, ctx.config)).join('\n')}\n`)
  }
  app.route(
    fromContract(bundleReadingRoutes.open, async ({ params, body, request, reply }) => {
      reply.header('cache-control', NO_STORE)
      const order = { ...body, slug: params.slug, client: clientOf(request) }
      return {
        data: presentOpened(ctx, await withPresentFacts(ctx, await openAnyShare(ctx, bundleKind, order))),
      }
    }),
  )
  app.route(
    fromContract(bundleReadingRoutes.plain, async ({ params, query, request, reply }) => {
      await requireReadable(ctx, params.slug)
      const order = { slug: params.slug, password: query.password, client: clientOf(request) }
      return sendAddresses({ request, reply }, await openPlainly(ctx, bundleKind, order))
    }),
  )
  app.route(
    fromContract(openingRoutes.takeBundle, async ({ params, body, request, reply }) => {
      const order = { ...body, slug: params.slug, isMeant: isMeant(request), client: clientOf(request) }
      if (!wantsJson(request)) await requireReadable(ctx, params.slug)
      const opened = await takeShare(ctx, bundleKind, order)
      if (!wantsJson(request)) return sendAddresses({ request, reply }, opened)
      reply.header('cache-control', NO_STORE)
      return sendData(reply, presentOpened(ctx, await withPresentFacts(ctx, opened)))
    }),
  )
  app.route(
    fromContract(openingRoutes.armBundle, async ({ params, request }) => {
      if (!(await armOwnBundle(ctx, actorOf(request), params.id))) throw new AppError(bundleErrors.not_found)
      return {}
    }),
  )
}

export async function openingPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  intentRoutes(app, ctx)
  openingOfTexts(app, ctx)
  openingOfFiles(app, ctx)
  openingOfBundles(app, ctx)
}
