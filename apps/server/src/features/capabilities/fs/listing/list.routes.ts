import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fsListingRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../../context.ts'
import {
  acceptedEncoding,
  type Encoding,
  encoderFor,
  withAcceptEncoding,
} from '../../../../http/bodies/compression.ts'
import { fromContract } from '../../../../http/core/route-adapter.ts'
import { directoryKey } from '../../../../lib/caches.ts'
import { actorOf } from '../../../foundation/identity/request-actor.http.ts'
import { listingText, presentVirtual } from './list.presenters.ts'
import { type OpenFolder, openFolder } from './listing.usecases.ts'

function answerIn(encoding: Encoding, reply: FastifyReply): FastifyReply {
  reply.type('application/json; charset=utf-8').header('vary', withAcceptEncoding(reply.getHeader('vary')))
  return encoding === 'identity' ? reply : reply.header('content-encoding', encoding)
}

/** Returns the cache key for the response body of a complete listing. */
const keyOf = (folder: OpenFolder, encoding: Encoding): string =>
  directoryKey({
    mountId: folder.mount.id,
    configId: folder.configId,
    folder: folder.folder,
    variant: encodeURIComponent(`${encoding} ${folder.path}`),
  })

/** Passes a stream through, and calls `store` with all its bytes at the end. */
async function* teed(source: AsyncIterable<Buffer>, store: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of source) {
    chunks.push(chunk)
    yield chunk
  }
  store(Buffer.concat(chunks))
}

/** Compresses the text of a listing. */
function encoded(text: AsyncIterable<string>, encoding: Encoding): Readable {
  const source = Readable.from(text, { objectMode: false })
  const encoder = encoderFor(encoding)
  if (encoder === null) return source
  // Ignores an error of the source here. The error destroys the encoder, so the reader of the encoder receives the
  // error.
  pipeline(source, encoder).catch(() => undefined)
  return encoder
}

async function answerFolder(
  ctx: AppContext,
  {
    folder,
    request,
    reply,
    isFresh,
  }: { folder: OpenFolder; request: FastifyRequest; reply: FastifyReply; isFresh: boolean },
): Promise<FastifyReply> {
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  const key = keyOf(folder, encoding)
  const known = folder.isCommon && !isFresh ? ctx.caches.directory.get(key, ctx.clock.nowMs()) : undefined
  if (known) return answerIn(encoding, reply).send(known)
  const version = ctx.caches.versionOf(folder.configId)
  const listing = await folder.list()
  const body = encoded(listingText(folder, listing), encoding)
  answerIn(encoding, reply)
  if (!folder.isCommon) return reply.send(body)
  const freshUntilMs = listing.asOfMs + folder.mount.cache_ttl * 1000
  const keep = (bytes: Buffer) => {
    if (ctx.caches.versionOf(folder.configId) === version)
      ctx.caches.directory.set(key, bytes, freshUntilMs, bytes.length)
  }
  return reply.send(Readable.from(teed(body, keep), { objectMode: false }))
}

export async function fsListingPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(fsListingRoutes.list, async ({ query, request, reply }) => {
      const folder = await openFolder(ctx, actorOf(request), query)
      if (folder.kind === 'virtual') return { data: presentVirtual(folder) }
      return answerFolder(ctx, { folder, request, reply, isFresh: query.refresh })
    }),
  )
}
