import { BUNDLE_MANIFEST_MAX_BYTES, bundleErrors, bundleRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { idOfCreation } from '../../../http/idempotency/idempotency.ts'
import { AppError } from '../../../lib/app-error.ts'
import { toInstant } from '../../../lib/clock.ts'
import { languageOf, messageFor } from '../../../messages/index.ts'
import { type Actor, creatorOf } from '../../foundation/identity/actor.models.ts'
import { keyNamesOf } from '../../foundation/identity/api-keys.usecases.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { openingNotesOf } from '../../foundation/share-opening/share-opening.usecases.ts'
import { issueTicket } from './reading/bundle-tickets.models.ts'
import { presentLink, presentOwnBundle, presentRevision } from './bundles.presenters.ts'
import { presentOwnManifest } from './manifest.models.ts'
import { bundleUploadsPlugin } from './objects/bundle-uploads.routes.ts'
import { createBundle } from './creating-bundles.usecases.ts'
import {
  deleteBundles,
  getOwnBundle,
  getRevision,
  listBundleRevisions,
  readOwnBundle,
  updateBundle,
} from './own-bundles.usecases.ts'
import { publishBundle, restoreBundle } from './publishing.usecases.ts'

/** JSON can escape each character as `\uXXXX`, which takes six bytes. */
const BODY_LIMIT = 6 * BUNDLE_MANIFEST_MAX_BYTES

async function presentDetail(ctx: AppContext, actor: Actor, idOrSlug: string) {
  const bundle = await readOwnBundle(ctx, actor, idOrSlug)
  const { row } = bundle
  const [keyName, notes] = await Promise.all([keyNamesOf(ctx, [row.created_by]), openingNotesOf(ctx, [row])])
  return presentOwnBundle(ctx, { ...bundle, keyName: keyName(row.created_by), notes })
}

function revisionRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(
      bundleRoutes.publish,
      async ({ params, body, request }) => {
        const published = await publishBundle(ctx, actorOf(request), params.id, body)
        return { data: { ...presentLink(ctx, published), revision: published.revision } }
      },
      { bodyLimit: BODY_LIMIT },
    ),
  )
  app.route(
    fromContract(bundleRoutes.revisions, async ({ params, request }) => {
      const { bundle, revisions } = await listBundleRevisions(ctx, actorOf(request), params.id)
      return { data: revisions.map((row) => presentRevision(row, bundle.revision)) }
    }),
  )
  app.route(
    fromContract(bundleRoutes.revision, async ({ params, request }) => {
      const bundle = await getOwnBundle(ctx, actorOf(request), params.id)
      const { row, manifest } = await getRevision(ctx, bundle, params.r)
      return {
        data: {
          revision: row.revision,
          created_at: toInstant(row.created_at_ms),
          manifest: manifest && presentOwnManifest(manifest),
          sealed_manifest: manifest ? null : row.manifest,
          ticket: issueTicket(ctx.secrets, bundle, { revision: row.revision, nowMs: ctx.clock.nowMs() }),
        },
      }
    }),
  )
  app.route(
    fromContract(bundleRoutes.restore, async ({ params, body, request }) => {
      const order = { idOrSlug: params.id, revision: params.r, expected: body.expected_revision }
      const published = await restoreBundle(ctx, actorOf(request), order)
      return { data: { ...presentLink(ctx, published), revision: published.revision } }
    }),
  )
}

/** Registers the routes with which owners manage their bundles. */
export async function bundlesPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(
      bundleRoutes.create,
      async ({ body, request }) => {
        const actor = actorOf(request)
        const id = body.id ?? idOfCreation(request, creatorOf(actor))
        const { manifest } = body
        if (manifest !== undefined && !body.sealed) throw new AppError(bundleErrors.not_sealable)
        const made = await createBundle(ctx, actor, { ...body, id })
        if (manifest !== undefined)
          await publishBundle(ctx, actor, made.id, { manifest, expected_revision: 0 })
        return { data: presentLink(ctx, made) }
      },
      { bodyLimit: BODY_LIMIT },
    ),
  )
  app.route(
    fromContract(bundleRoutes.detail, async ({ params, request }) => ({
      data: await presentDetail(ctx, actorOf(request), params.id),
    })),
  )
  app.route(
    fromContract(bundleRoutes.update, async ({ params, body, request }) => ({
      data: presentLink(ctx, await updateBundle(ctx, actorOf(request), params.id, body)),
    })),
  )
  app.route(
    fromContract(bundleRoutes.remove, async ({ body, request }) => {
      const { deleted, failed } = await deleteBundles(ctx, actorOf(request), body.ids)
      const error = messageFor(bundleErrors.not_found.code, languageOf(request.headers['accept-language']))
      return { data: { success: deleted, failed: failed.map((id) => ({ id, error })) } }
    }),
  )
  revisionRoutes(app, ctx)
  await app.register(bundleUploadsPlugin, { ctx })
}
