import { PASTE_CONTENT_MAX_BYTES, pasteErrors, shellErrors, shellRoutes, shellText } from '@dropleaf/contract'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { AppContext } from '../../../context.ts'
import { announcedBytes, queryOf } from '../../../http/bodies/forms.ts'
import { leaveBodiesRaw } from '../../../http/bodies/raw-bodies.ts'
import { fromContract, InvalidRequestError } from '../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../http/core/urls.ts'
import { AppError } from '../../../lib/app-error.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { expiryFromHours } from '../../capabilities/files/files.models.ts'
import { receiveRawUpload } from '../../capabilities/files/uploads/receive.usecases.ts'
import { stillShares } from '../../capabilities/files/uploads/still-shares.http.ts'
import { createPaste } from '../../capabilities/pastes/pastes.usecases.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws {AppError} `paste.not_text` */
function textOf(body: unknown): string {
  try {
    return utf8.decode(Buffer.isBuffer(body) ? body : new Uint8Array())
  } catch (cause) {
    throw new AppError(pasteErrors.not_text, { cause })
  }
}

/** @throws {AppError} `shell.option_unknown` */
function requireKnownOptions(request: FastifyRequest, { shape }: { readonly shape: object }): void {
  const name = Object.keys(queryOf(request)).find((one) => !Object.hasOwn(shape, one))
  if (name === undefined) return
  const known = Object.keys(shape).join(', ')
  throw new AppError(shellErrors.option_unknown, {
    params: { name: JSON.stringify(name.slice(0, 80)), known },
  })
}

async function texts(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  // Refuses a form before the body is read, because the body can be long.
  app.addHook('preParsing', async (request) => {
    if (/^multipart\//i.test(request.headers['content-type'] ?? '')) throw new AppError(shellErrors.form)
    requireKnownOptions(request, shellRoutes.text.query)
  })
  app.setErrorHandler((error: FastifyError) => {
    throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? new AppError(shellErrors.text_too_large) : error
  })
  app.removeAllContentTypeParsers()
  // Accepts any content type, because curl sends the type of a form by default.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.route(
    fromContract(
      shellRoutes.text,
      async ({ query, request, reply }) => {
        const content = textOf(request.body)
        if (content.trim() === '') throw new AppError(shellErrors.text_empty)
        const read = z.safeParse(shellText, { content })
        if (!read.success) throw new InvalidRequestError('body', read.error.issues)
        const { slug, remark, password, expires_in, max_views, opening, pin, plain } = query
        const isPlain = plain !== undefined && !/^(?:0|false|no)$/i.test(plain)
        const row = await createPaste(ctx, actorOf(request), {
          ...read.data,
          content_type: isPlain ? 'text/plain' : 'text/markdown',
          id: null,
          slug,
          remark,
          password,
          maxViews: max_views,
          opening,
          pin,
          expiresAt: expiryFromHours(expires_in, ctx.clock.nowMs()),
        })
        const link = `${publicUrlOf(request, ctx.config)}/paste/${row.slug}`
        return reply.code(201).type('text/plain; charset=utf-8').send(`${link}\n`)
      },
      { bodyLimit: PASTE_CONTENT_MAX_BYTES },
    ),
  )
}

async function files(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.addHook('preParsing', async (request) => {
    if ((request.params as { filename?: string }).filename === '')
      throw new AppError(shellErrors.name_missing)
    requireKnownOptions(request, shellRoutes.file.query)
  })
  leaveBodiesRaw(app, { conditions: 'new' })
  app.route(
    fromContract(shellRoutes.file, async ({ params, query, request, reply }) => {
      const row = await receiveRawUpload(ctx, actorOf(request), {
        filename: params.filename,
        sizeBytes: announcedBytes(request) ?? null,
        options: query,
        source: request.raw,
        requireMay: stillShares(request),
      })
      const link = `${publicUrlOf(request, ctx.config)}/file/${row.slug}`
      return reply.code(201).type('text/plain; charset=utf-8').send(`${link}\n`)
    }),
  )
}

/** Registers the routes for sharing from a terminal with a single command. */
export async function shellPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  await app.register(texts, { ctx })
  await app.register(files, { ctx })
}
