import { apiKeyRoutes, NEVER_EXPIRES } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { toBit } from '../../../lib/bits.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { toInstant, toInstantOrNull } from '../../../lib/clock.ts'
import {
  type ApiKeyWithSecret,
  createApiKey,
  deleteApiKey,
  listApiKeys,
  updateApiKey,
} from './api-keys.usecases.ts'

const MASK_VISIBLE_CHARACTERS = 6

function presentShared({ row, key }: ApiKeyWithSecret) {
  return {
    id: row.id,
    name: row.name,
    key,
    key_masked: `${key.slice(0, MASK_VISIBLE_CHARACTERS)}...`,
    basic_path: row.basic_path,
    created_at: toInstant(row.created_at_ms),
    expires_at: row.expires_at_ms === null ? NEVER_EXPIRES : toInstant(row.expires_at_ms),
  }
}

function presentListed(entry: ApiKeyWithSecret) {
  const { row } = entry
  return {
    ...presentShared(entry),
    text_permission: toBit(row.text_permission),
    file_permission: toBit(row.file_permission),
    mount_permission: toBit(row.mount_permission),
    mount_read_only: toBit(row.mount_read_only),
    last_used: toInstantOrNull(row.last_used_at_ms),
  }
}

function presentCreated(entry: ApiKeyWithSecret) {
  const { row } = entry
  return {
    ...presentShared(entry),
    text_permission: row.text_permission === 1,
    file_permission: row.file_permission === 1,
    mount_permission: row.mount_permission === 1,
    mount_read_only: row.mount_read_only === 1,
  }
}

export async function apiKeysPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(apiKeyRoutes.list, async () => ({ data: (await listApiKeys(ctx)).map(presentListed) })),
  )
  app.route(
    fromContract(apiKeyRoutes.create, async ({ body }) => ({
      data: presentCreated(await createApiKey(ctx, body)),
    })),
  )
  app.route(
    fromContract(apiKeyRoutes.update, async ({ params, body }) => {
      await updateApiKey(ctx, params.id, body)
      return {}
    }),
  )
  app.route(
    fromContract(apiKeyRoutes.remove, async ({ params }) => {
      return { data: { name: await deleteApiKey(ctx, params.id) } }
    }),
  )
}
