import { urlErrors, urlRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { clientNetwork } from '../../../http/core/client-address.ts'
import { languageOf } from '../../../messages/index.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { forbidScripts } from '../../../http/bodies/security-headers.ts'
import { publicUrlOf } from '../../../http/core/urls.ts'
import { absoluteUrl, filePagePath } from '../../../lib/urls.ts'
import { AppError } from '../../../lib/app-error.ts'
import { toInstantOrNull } from '../../../lib/clock.ts'
import { contentDisposition, harmlessType } from '../../../lib/bodies/content-headers.ts'
import { limitBytes } from '../../../lib/bodies/relay-body.ts'
import { findIssuer, issuerOf } from '../../foundation/link-issuers/link-issuers.usecases.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { presentCommitted, presentPresigned } from '../files/files.presenters.ts'
import { cancelUpload } from '../files/uploads/pending-uploads.usecases.ts'
import { maxUploadBytes } from '../../foundation/settings/settings.usecases.ts'
import { presentTask } from '../../foundation/tasks/tasks.presenters.ts'
import { startImport } from './imports.usecases.ts'
import { nameOfSource, plainType } from './source.models.ts'
import { inspectSource, openSource } from './sources.usecases.ts'
import {
  abortParts,
  beginParts,
  commitFetched,
  completeParts,
  presignFetched,
} from './url-uploads.usecases.ts'

/** An inspected URL can be read through the proxy for this long. */
const PROXY_SECONDS = 600
const PROXY_KIND = 'url-proxy'

/**
 * Returns the name of a grant. The proxy is open to the network that inspected the URL, because older clients send no
 * credentials.
 */
const grantNameOf = (request: FastifyRequest, url: string) => `${clientNetwork(request)} ${url}`

function infoRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(urlRoutes.info, async ({ body, request }) => {
      const info = await inspectSource(ctx, body.url)
      const { by = '' } = issuerOf(actorOf(request), 'file') ?? {}
      await ctx.tickets.grant(PROXY_KIND, grantNameOf(request, body.url), {
        seconds: PROXY_SECONDS,
        payload: { by },
      })
      const expires = String(Math.floor(ctx.clock.nowMs() / 1000) + PROXY_SECONDS)
      const ticket = [expires, ctx.secrets.sign(proxyStatement({ url: body.url, expires, by })), by].join('.')
      const query = new URLSearchParams({ url: body.url, ticket })
      return {
        data: {
          url: info.url,
          filename: info.filename,
          contentType: info.contentType,
          size: info.sizeBytes,
          lastModified: toInstantOrNull(info.lastModifiedMs),
          method: info.method,
          corsSupported: info.allowsCors,
          answered: info.isAnswered,
          detectionMethod: [...info.detection],
          detectionConfidence: info.confidence,
          fileTypeLibraryUsed: info.usedMagic,
          proxyUrl: `${publicUrlOf(request, ctx.config)}/api/url/proxy?${query.toString()}`,
        },
      }
    }),
  )
  app.route(
    fromContract(urlRoutes.proxy, async ({ query, request, reply }) => {
      if (!(await mayProxy(ctx, request, query))) throw new AppError(urlErrors.ticket_invalid)
      return proxy(ctx, query.url, { request, reply })
    }),
  )
}

async function mayProxy(
  ctx: AppContext,
  request: FastifyRequest,
  { url, ticket }: { url: string; ticket?: string | undefined },
): Promise<boolean> {
  if (ticket === undefined) {
    const grant = (await ctx.tickets.findGrant(PROXY_KIND, grantNameOf(request, url))) as
      | { by: string }
      | undefined
    return grant !== undefined && mayStill(ctx, grant.by)
  }
  const [expires = '', signature = '', by = ''] = ticket.split('.')
  const isAlive = Number(expires) * 1000 > ctx.clock.nowMs()
  return isAlive && ctx.secrets.verify(proxyStatement({ url, expires, by }), signature) && mayStill(ctx, by)
}

const proxyStatement = (parts: { url: string; expires: string; by: string }) =>
  JSON.stringify([PROXY_KIND, parts.expires, parts.by, parts.url])

/**
 * Whether the caller that inspected the URL still has the permission for files.
 * @param by the issuer; empty if the issuer cannot lose the permission
 */
const mayStill = async (ctx: AppContext, by: string): Promise<boolean> =>
  by === '' || (await findIssuer(ctx, { by, right: 'file' }, null)) !== null

/**
 * Sends the bytes of the source, up to the upload limit. Sends them as a download, so that no script of the source runs
 * on this origin.
 */
async function proxy(
  ctx: AppContext,
  address: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const abort = new AbortController()
  request.raw.once('close', () => abort.abort(new Error('Nobody reads the source any more.')))
  const { answer, body, sizeBytes } = await openSource(ctx, address, abort.signal)
  const type = plainType(answer.headers['content-type'])
  const disposition = answer.headers['content-disposition']
  const name = nameOfSource(answer.url, { disposition, type })
  forbidScripts(reply)
  if (sizeBytes !== null) reply.header('content-length', sizeBytes)
  const limited = limitBytes(body, await maxUploadBytes(ctx))
  limited.once('close', () => body.destroy())
  return reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', 'Content-Type, Content-Disposition, Content-Length')
    .header('content-disposition', contentDisposition('attachment', name))
    .header('cache-control', 'no-store')
    .type(harmlessType(type ?? 'application/octet-stream'))
    .send(limited)
}

function singleRoutes(app: FastifyInstance, ctx: AppContext): void {
  const origin = (request: FastifyRequest) => publicUrlOf(request, ctx.config)
  app.route(
    fromContract(urlRoutes.presign, async ({ body, request }) => {
      const { reservation, source, uploadUrl } = await presignFetched(ctx, actorOf(request), body)
      return {
        data: {
          ...presentPresigned(reservation, { uploadUrl, origin: origin(request) }),
          filename: reservation.row.filename,
          size: source.sizeBytes,
          cors_supported: source.allowsCors,
        },
      }
    }),
  )
  app.route(
    fromContract(urlRoutes.commit, async ({ body, request }) => ({
      data: await presentCommitted(ctx, await commitFetched(ctx, actorOf(request), body), origin(request)),
    })),
  )
  app.route(
    fromContract(urlRoutes.cancel, async ({ body, request }) => {
      await cancelUpload(ctx, actorOf(request), { fileId: body.file_id })
      return { data: { file_id: body.file_id, status: 'cancelled', message: 'The upload was given up.' } }
    }),
  )
}

function partRoutes(app: FastifyInstance, ctx: AppContext): void {
  const origin = (request: FastifyRequest) => publicUrlOf(request, ctx.config)
  app.route(
    fromContract(urlRoutes.multipartInit, async ({ body, request }) => {
      const { reservation, source, ...parts } = await beginParts(ctx, actorOf(request), body)
      const {
        upload_url: _unused,
        contentType,
        ...common
      } = presentPresigned(reservation, {
        uploadUrl: '',
        origin: origin(request),
      })
      return {
        data: {
          ...common,
          upload_id: parts.uploadId,
          presigned_urls: parts.urls.map(({ partNumber, url }) => ({
            partNumber,
            url: absoluteUrl(origin(request), url),
          })),
          part_size: parts.partSizeBytes,
          total_size: parts.sizeBytes,
          part_count: parts.urls.length,
          filename: reservation.row.filename,
          content_type: contentType,
          cors_supported: source.allowsCors,
          has_password: parts.settings.password !== null,
          expires_at: expiryOf(ctx, parts.settings.expiresInHours),
          max_views: parts.settings.maxViews,
          url: filePagePath(ctx.config, common.slug),
        },
      }
    }),
  )
  app.route(
    fromContract(urlRoutes.multipartComplete, async ({ body, request }) => {
      const row = await completeParts(ctx, actorOf(request), body)
      const done = await presentCommitted(ctx, row, origin(request))
      return {
        data: { ...done, file_id: row.id, status: 'completed' as const, message: 'The upload is complete.' },
      }
    }),
  )
  app.route(
    fromContract(urlRoutes.multipartAbort, async ({ body, request }) => {
      await abortParts(ctx, actorOf(request), { fileId: body.file_id, uploadId: body.upload_id })
      return { data: { file_id: body.file_id, status: 'aborted', message: 'The upload was given up.' } }
    }),
  )
}

const HOUR_MS = 3_600_000

/** Returns the expiry of the share, counted from now. The commit computes the expiry again. */
const expiryOf = (ctx: AppContext, hours: number | null) =>
  toInstantOrNull(hours === null || hours <= 0 ? null : ctx.clock.nowMs() + hours * HOUR_MS)

/**
 * Registers the routes for uploads from a URL. Either the client fetches and uploads the file, or the server does both.
 */
export async function urlImportPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  infoRoutes(app, ctx)
  singleRoutes(app, ctx)
  partRoutes(app, ctx)
  app.route(
    fromContract(urlRoutes.import, async ({ body, request }) => {
      const row = await startImport(ctx, actorOf(request), body)
      return { data: { task: presentTask(row, languageOf(request.headers['accept-language'])) } }
    }),
  )
}
