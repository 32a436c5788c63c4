import { fileErrors, fileRoutes, type ParsedOf, storageErrors, storageObjectRoutes } from '@dropleaf/contract'
import type { StorageDriver } from '@dropleaf/storage'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { clientOf } from '../../../http/core/client-address.ts'
import { leaveBodiesRaw } from '../../../http/bodies/raw-bodies.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { sendBytes } from '../../../http/bodies/send-bytes.ts'
import { publicUrlOf } from '../../../http/core/urls.ts'
import { AppError } from '../../../lib/app-error.ts'
import { planBytes } from '../../../lib/bodies/byte-range.ts'
import { contentDisposition, isOfficeFile, previewType } from '../../../lib/bodies/content-headers.ts'
import { driverOf, getConfig } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { presentPublic, viewerLink } from './files.presenters.ts'
import { isRestricted } from './files.models.ts'
import type { FileRow } from './files.table.ts'
import { checkFile, openFile, readBytes, readFile, requireObjectAlive, unlockFile } from './files.usecases.ts'
import { BUCKET_LINK_MAX_SECONDS } from '../../../storage/drivers.ts'
import { keyOnRecord } from '../../../storage/key-on-record.ts'
import type { SignedGrant } from '../../../storage/signed-links.ts'
import { findShareOfLink, needsControl } from './share-links.usecases.ts'
import { receiveSignedCopy } from './uploads/signed-copy.usecases.ts'
import { receiveSignedPart } from './uploads/signed-part.usecases.ts'
import {
  leadsToShareObject,
  receiveSignedPut,
  requireSignedGrant,
  stillIssued,
} from './uploads/signed-put.usecases.ts'

const OFFICE_VIEWER = 'https://view.officeapps.live.com/op/view.aspx?src='

type BytesQuery = ParsedOf<typeof fileRoutes.view, 'query'>

interface BytesCall {
  readonly params: { readonly slug: string }
  readonly query: BytesQuery
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const entityOf = (row: FileRow) => ({
  sizeBytes: row.size_bytes,
  etag: row.etag ?? row.id,
  modifiedAtMs: row.committed_at_ms ?? row.created_at_ms,
})

function openFor(ctx: AppContext, { params, query, request }: Omit<BytesCall, 'reply'>): Promise<FileRow> {
  return openFile(ctx, params.slug, {
    password: query.password,
    ticket: query.ticket,
    client: clientOf(request),
    plan: (row) => planBytes(request, entityOf(row)),
  })
}

/**
 * Finds a share for an online viewer. Uses no view if this client has used one within the last hour, for example by
 * opening the share page.
 */
function openForViewer(
  ctx: AppContext,
  { params, query, request }: Omit<BytesCall, 'reply'>,
): Promise<FileRow> {
  return openFile(ctx, params.slug, {
    password: query.password,
    ticket: query.ticket,
    client: clientOf(request),
    plan: () => ({ kind: 'viewer' }),
  })
}

/** Returns the `Cache-Control` header. Restricted shares are not cached. Other shares are cached and revalidated. */
const cacheControlOf = (row: FileRow) => (isRestricted(row) ? 'private, no-store' : 'private, no-cache')

function sendShare(
  ctx: AppContext,
  row: FileRow,
  { request, reply }: BytesCall,
  kind: 'inline' | 'attachment',
): Promise<FastifyReply> {
  return sendBytes(request, reply, {
    ...entityOf(row),
    contentType: kind === 'inline' ? previewType(row.filename, row.mimetype) : row.mimetype,
    contentDisposition: contentDisposition(kind, row.filename),
    cacheControl: cacheControlOf(row),
    open: (range) => readBytes(ctx, row, { range }),
  })
}

async function view(ctx: AppContext, call: BytesCall): Promise<FastifyReply> {
  const row = await openFor(ctx, call)
  if (call.request.method === 'GET' && isOfficeFile(row.filename, row.mimetype)) {
    const { url } = await viewerLink(ctx, row, publicUrlOf(call.request, ctx.config))
    return call.reply
      .header('cache-control', 'no-store')
      .redirect(`${OFFICE_VIEWER}${encodeURIComponent(url)}`, 302)
  }
  return sendShare(ctx, row, call, 'inline')
}

async function download(ctx: AppContext, call: BytesCall): Promise<FastifyReply> {
  return sendShare(ctx, await openFor(ctx, call), call, 'attachment')
}

function receiverOf(grant: SignedGrant) {
  if (grant.isCopy) return receiveSignedCopy
  return grant.part === null ? receiveSignedPut : receiveSignedPart
}

/** Returns a short-lived URL of the bucket, or `null` if this server must send the bytes. */
async function bucketLinkOf(
  ctx: AppContext,
  driver: StorageDriver,
  grant: SignedGrant,
): Promise<string | null> {
  if (driver.kind !== 's3' || (await leadsToShareObject(ctx, grant))) return null
  const { key, expiresAt, contentType, contentDisposition: disposition, issuer } = grant
  const share = issuer ? await findShareOfLink(ctx, issuer) : undefined
  if (share && needsControl(share)) return null
  const leftSeconds = expiresAt - Math.floor(ctx.clock.nowMs() / 1000)
  return driver.links.get(keyOnRecord(driver, key), {
    expiresInSeconds: Math.min(BUCKET_LINK_MAX_SECONDS, leftSeconds),
    contentType: contentType ?? undefined,
    contentDisposition: disposition ?? undefined,
  })
}

async function signedObjects(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  leaveBodiesRaw(app)
  app.route(
    fromContract(storageObjectRoutes.put, async ({ params, query, request, reply }) => {
      const askedAtMs = ctx.clock.nowMs()
      const grant = await requireSignedGrant(
        ctx,
        { method: 'PUT', configId: params.config, key: params['*'] },
        query,
      )
      const length = request.headers['content-length']
      const etag = await receiverOf(grant)(ctx, grant, {
        source: request.raw,
        sizeBytes: length === undefined ? undefined : Number(length),
        requireMay: stillIssued(ctx, grant, askedAtMs),
      })
      return reply.header('etag', `"${etag}"`).header('access-control-expose-headers', 'ETag').send()
    }),
  )
  app.route(
    fromContract(
      storageObjectRoutes.get,
      async ({ params, query, request, reply }) => {
        const grant = await requireSignedGrant(
          ctx,
          { method: 'GET', configId: params.config, key: params['*'] },
          query,
        )
        await requireObjectAlive(ctx, grant)
        const driver = await driverOf(ctx, await getConfig(ctx, grant.configId))
        const key = keyOnRecord(driver, grant.key)
        const bucketUrl = request.method === 'GET' ? await bucketLinkOf(ctx, driver, grant) : null
        if (bucketUrl !== null)
          return reply.header('cache-control', 'private, no-store').redirect(bucketUrl, 302)
        const stat = await driver.stat(key)
        if (!stat) throw new AppError(storageErrors.object_missing)
        return sendBytes(request, reply, {
          ...stat,
          contentType: grant.contentType ?? 'application/octet-stream',
          contentDisposition: grant.contentDisposition ?? 'attachment',
          cacheControl: 'private, no-cache',
          open: (range) => driver.read(key, range ? { range } : {}),
        })
      },
      { withHead: true },
    ),
  )
}

export async function publicFilesPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(
      fileRoutes.publicRead,
      async ({ params, request, reply }) => {
        reply.header('cache-control', 'no-store')
        const client = clientOf(request)
        if (request.method === 'HEAD') {
          await checkFile(ctx, params.slug, client)
          return reply.type('application/json; charset=utf-8').send()
        }
        const read = await readFile(ctx, params.slug, client)
        return { data: await presentPublic(ctx, read, publicUrlOf(request, ctx.config)) }
      },
      { withHead: true },
    ),
  )
  app.route(
    fromContract(fileRoutes.publicVerify, async ({ params, body, request, reply }) => {
      reply.header('cache-control', 'no-store')
      const row = await unlockFile(ctx, params.slug, { password: body.password, client: clientOf(request) })
      return {
        data: await presentPublic(ctx, { row, isLocked: false }, publicUrlOf(request, ctx.config)),
      }
    }),
  )
  app.route(fromContract(fileRoutes.view, (call) => view(ctx, call), { withHead: true }))
  app.route(fromContract(fileRoutes.download, (call) => download(ctx, call), { withHead: true }))
  app.route(
    fromContract(
      fileRoutes.officePreview,
      async ({ params, query, request, reply }) => {
        reply.header('cache-control', 'no-store')
        const row = await openForViewer(ctx, { params, query, request })
        if (!isOfficeFile(row.filename, row.mimetype)) throw new AppError(fileErrors.not_office)
        const { url, validSeconds } = await viewerLink(ctx, row, publicUrlOf(request, ctx.config))
        return {
          url,
          filename: row.filename,
          mimetype: row.mimetype,
          expires_in: validSeconds,
          is_temporary: true as const,
        }
      },
      { withHead: true },
    ),
  )
  await app.register(signedObjects, { ctx })
}
