import { storageConfigRoutes, storageTestRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { toBit } from '../../../lib/bits.ts'
import { languageOf } from '../../../messages/index.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../http/core/urls.ts'
import { toInstant, toInstantOrNull } from '../../../lib/clock.ts'
import type { Actor } from '../identity/actor.models.ts'
import { actorOf } from '../identity/request-actor.http.ts'
import { createConfig, deleteConfig, makeDefault, updateConfig } from './manage-configs.usecases.ts'
import type { StorageConfigRow } from './storage-configs.table.ts'
import { presentTest } from './test-config.presenters.ts'
import { testConfig } from './test-config.usecases.ts'
import { getVisibleConfig, listStorageConfigs } from './storage-configs.usecases.ts'

function presentConfig(row: StorageConfigRow, actor: Pick<Actor, 'kind'>) {
  return {
    id: row.id,
    name: row.name,
    provider_type: row.provider_type,
    endpoint_url: row.endpoint_url,
    bucket_name: row.bucket_name,
    region: row.region,
    path_style: toBit(row.path_style),
    default_folder: row.default_folder,
    is_default: toBit(row.is_default),
    created_at: toInstant(row.created_at_ms),
    updated_at: toInstant(row.updated_at_ms),
    total_storage_bytes: row.total_storage_bytes,
    custom_host: row.custom_host,
    signature_expires_in: row.signature_expires_in,
    ...(actor.kind === 'admin'
      ? { is_public: toBit(row.is_public), last_used: toInstantOrNull(row.last_used_at_ms) }
      : {}),
  }
}

/** Presents a new storage. In this response, `path_style`, `is_public` and `is_default` are booleans. */
const presentCreated = (row: StorageConfigRow) => ({
  ...presentConfig(row, { kind: 'admin' }),
  path_style: row.path_style === 1,
  is_public: row.is_public === 1,
  is_default: row.is_default === 1,
})

function adminRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(storageConfigRoutes.create, async ({ body }) => ({
      data: presentCreated(await createConfig(ctx, body)),
    })),
  )
  app.route(
    fromContract(storageConfigRoutes.update, async ({ params, body }) => {
      await updateConfig(ctx, params.id, body)
      return {}
    }),
  )
  app.route(
    fromContract(storageConfigRoutes.remove, async ({ params }) => {
      await deleteConfig(ctx, params.id)
      return {}
    }),
  )
  app.route(
    fromContract(storageConfigRoutes.setDefault, async ({ params }) => {
      await makeDefault(ctx, params.id)
      return {}
    }),
  )
}

function testRoute(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(storageTestRoutes.test, async ({ params, body, request }) => {
      const test = await testConfig(ctx, params.id, {
        origin: request.headers.origin ?? new URL(publicUrlOf(request, ctx.config)).origin,
        isToFix: body?.fix ?? false,
      })
      return { data: presentTest(test, languageOf(request.headers['accept-language'])) }
    }),
  )
}

export async function storageConfigsPlugin(
  app: FastifyInstance,
  { ctx }: { ctx: AppContext },
): Promise<void> {
  app.route(
    fromContract(storageConfigRoutes.list, async ({ request }) => {
      const actor = actorOf(request)
      const rows = await listStorageConfigs(ctx, actor)
      return { data: rows.map((row) => presentConfig(row, actor)), total: rows.length }
    }),
  )
  app.route(
    fromContract(storageConfigRoutes.read, async ({ params, request }) => {
      const actor = actorOf(request)
      return { data: presentConfig(await getVisibleConfig(ctx, actor, params.id), actor) }
    }),
  )
  adminRoutes(app, ctx)
  testRoute(app, ctx)
}
