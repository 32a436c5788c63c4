import { createReadStream } from 'node:fs'
import { bundleErrors, bundleReadingRoutes, fsErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../../context.ts'
import { languageOf } from '../../../../messages/index.ts'
import { forbidScripts } from '../../../../http/bodies/security-headers.ts'
import { sendBytes } from '../../../../http/bodies/send-bytes.ts'
import { fromContract } from '../../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../../http/core/urls.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { contentDisposition, previewType } from '../../../../lib/bodies/content-headers.ts'
import { toInstant } from '../../../../lib/clock.ts'
import { archiveName } from '../../archives/archive.models.ts'
import { streamArchive } from '../../archives/archive-stream.usecases.ts'
import { thumbnailOf } from '../../thumbnails/thumbnails.usecases.ts'
import { archiveSources, requireArchivable } from './archiving-items.usecases.ts'
import { sealedReadingPlugin } from '../sealed/sealed-reading.routes.ts'
import { presentOpened } from './bundle-reading.presenters.ts'
import { checkTicket, openItem, readTicket, readTicketWhole, type TicketedBundle } from './items.usecases.ts'
import { listItems } from './listing-items.usecases.ts'
import { withPresentFacts } from './present-facts.usecases.ts'

const ARCHIVE_TICKET = 'bundle-archive'
const ARCHIVE_SECONDS = 300
const NO_STORE = 'private, no-store'

interface ArchivePayload {
  readonly ticket: string
  readonly paths: readonly string[]
  readonly name: string
}

/**
 * Returns the file name of an archive: the requested name, otherwise the name of its only selected path, otherwise the
 * title or the link suffix of the bundle.
 */
const nameOfArchive = ({ manifest, row }: TicketedBundle, paths: readonly string[], name: string | null) =>
  archiveName(name ?? (paths.length === 1 ? null : (manifest.title ?? row.slug)), paths)

async function sendArchive(
  ctx: AppContext,
  bundle: TicketedBundle,
  {
    paths,
    name,
    request,
    reply,
  }: { paths: readonly string[]; name: string; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const language = languageOf(request.headers['accept-language'])
  await requireArchivable(ctx, bundle, paths)
  const sources = archiveSources(ctx, bundle, paths)
  return reply
    .header('content-disposition', contentDisposition('attachment', name))
    .header('cache-control', NO_STORE)
    .type('application/zip')
    .send(await streamArchive(ctx, { sources, language }))
}

function archiveRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(bundleReadingRoutes.archive, async ({ params, body, request }) => {
      const bundle = await readTicket(ctx, { slug: params.slug, ticket: body.ticket })
      await requireArchivable(ctx, bundle, body.paths)
      const name = nameOfArchive(bundle, body.paths, body.name)
      const payload: ArchivePayload = { ticket: body.ticket, paths: body.paths, name }
      const issued = await ctx.tickets.issue(ARCHIVE_TICKET, payload, { seconds: ARCHIVE_SECONDS })
      const url = `${publicUrlOf(request, ctx.config)}/api/bundles/${bundle.row.slug}/archive/${issued.token}`
      return { data: { url, expires_at: toInstant(issued.expiresAtMs), name } }
    }),
  )
  app.route(
    fromContract(bundleReadingRoutes.download, async ({ params, request, reply }) => {
      const payload = (await ctx.tickets.take(ARCHIVE_TICKET, params.archive)) as ArchivePayload | undefined
      if (!payload) throw new AppError(fsErrors.ticket_invalid)
      const bundle = await readTicket(ctx, { slug: params.slug, ticket: payload.ticket })
      return sendArchive(ctx, bundle, { ...payload, request, reply })
    }),
  )
  app.route(
    fromContract(bundleReadingRoutes.zip, async ({ params, query, request, reply }) => {
      const bundle = await readTicket(ctx, { slug: params.slug, ticket: query.ticket })
      const paths = query.path === '' ? [] : [query.path]
      const name = nameOfArchive(bundle, paths, null)
      return sendArchive(ctx, bundle, { paths, name, request, reply })
    }),
  )
}

function itemRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(
      bundleReadingRoutes.file,
      async ({ params, query, request, reply }) => {
        const bundle = await readTicket(ctx, { slug: params.slug, ticket: query.ticket })
        const item = await openItem(ctx, bundle, query.path)
        return sendBytes(request, reply, {
          sizeBytes: item.sizeBytes,
          etag: item.etag,
          modifiedAtMs: item.modifiedAtMs,
          contentType: query.download ? item.mimetype : previewType(item.name, item.mimetype),
          contentDisposition: contentDisposition(query.download ? 'attachment' : 'inline', item.name),
          cacheControl: NO_STORE,
          open: (range) => item.read(range),
        })
      },
      { withHead: true },
    ),
  )
  app.route(
    fromContract(bundleReadingRoutes.thumbnail, async ({ params, query, reply }) => {
      const bundle = await readTicket(ctx, { slug: params.slug, ticket: query.ticket })
      const item = await openItem(ctx, bundle, query.path)
      const source = { ...item, stat: item, read: async () => (await item.read()).body }
      const options = { asker: `bundle:${bundle.row.id}`, edgePx: query.size }
      const thumbnail = await thumbnailOf(ctx, source, options)
      reply.header('cache-control', 'private, max-age=3600')
      if (!thumbnail) return reply.code(204).send()
      forbidScripts(reply)
      reply.header('content-length', thumbnail.sizeBytes).type('image/webp')
      return reply.send(createReadStream(thumbnail.path))
    }),
  )
}

/** Registers the routes for readers who have opened a bundle. */
export async function bundleReadingPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(bundleReadingRoutes.opened, async ({ params, query, reply }) => {
      reply.header('cache-control', NO_STORE)
      const bundle = await readTicketWhole(ctx, { slug: params.slug, ticket: query.ticket })
      return { data: presentOpened(ctx, await withPresentFacts(ctx, bundle), query.ticket) }
    }),
  )
  app.route(
    fromContract(bundleReadingRoutes.current, async ({ params, query, reply }) => {
      reply.header('cache-control', NO_STORE)
      const { row } = await checkTicket(ctx, { slug: params.slug, ticket: query.ticket })
      return { data: { revision: row.revision } }
    }),
  )
  app.route(
    fromContract(bundleReadingRoutes.list, async ({ params, query, reply }) => {
      reply.header('cache-control', NO_STORE)
      const bundle = await readTicket(ctx, { slug: params.slug, ticket: query.ticket })
      const { path, items, nextCursor, isComplete } = await listItems(ctx, bundle, query)
      return { data: { path, items: [...items], next_cursor: nextCursor, is_complete: isComplete } }
    }),
  )
  app.route(
    fromContract(bundleReadingRoutes.page, async ({ params, query, reply }) => {
      const { manifest } = await readTicket(ctx, { slug: params.slug, ticket: query.ticket })
      if (!manifest.page) throw new AppError(bundleErrors.item_not_found)
      forbidScripts(reply)
      return reply
        .header('cache-control', NO_STORE)
        .type('text/plain; charset=utf-8')
        .send(manifest.page.text)
    }),
  )
  itemRoutes(app, ctx)
  archiveRoutes(app, ctx)
  await app.register(sealedReadingPlugin, { ctx })
}
