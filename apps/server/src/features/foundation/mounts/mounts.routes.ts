import { mountRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { toBit } from '../../../lib/bits.ts'
import { toInstant, toInstantOrNull } from '../../../lib/clock.ts'
import { actorOf } from '../identity/request-actor.http.ts'
import { createMount, deleteMount, getMount, listMounts, updateMount } from './manage-mounts.usecases.ts'
import type { MountRow } from './mounts.table.ts'
import { getUserMount, listUserMounts, type UserMount } from './user-mounts.usecases.ts'

const presentMount = (row: MountRow) => ({
  id: row.id,
  name: row.name,
  storage_type: row.storage_type,
  storage_config_id: row.storage_config_id,
  mount_path: row.mount_path,
  remark: row.remark,
  is_active: toBit(row.is_active),
  created_by: row.created_by,
  sort_order: row.sort_order,
  cache_ttl: row.cache_ttl,
  created_at: toInstant(row.created_at_ms),
  updated_at: toInstant(row.updated_at_ms),
  last_used: toInstantOrNull(row.last_used_at_ms),
})

const presentUserMount = ({ row, isPublic }: UserMount) => ({
  ...presentMount(row),
  is_public: toBit(isPublic),
})

function adminRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(mountRoutes.adminList, async () => ({ data: (await listMounts(ctx)).map(presentMount) })),
  )
  app.route(
    fromContract(mountRoutes.adminRead, async ({ params }) => ({
      data: presentMount(await getMount(ctx, params.id)),
    })),
  )
  app.route(
    fromContract(mountRoutes.create, async ({ body, request }) => {
      const row = await createMount(ctx, actorOf(request), body)
      return { data: { ...presentMount(row), is_active: row.is_active === 1 } }
    }),
  )
  app.route(
    fromContract(mountRoutes.update, async ({ params, body }) => {
      await updateMount(ctx, params.id, body)
      return {}
    }),
  )
  app.route(
    fromContract(mountRoutes.remove, async ({ params }) => {
      await deleteMount(ctx, params.id)
      return {}
    }),
  )
}

export async function mountsPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  adminRoutes(app, ctx)
  app.route(
    fromContract(mountRoutes.userList, async ({ request }) => ({
      data: (await listUserMounts(ctx, actorOf(request))).map(presentUserMount),
    })),
  )
  app.route(
    fromContract(mountRoutes.userRead, async ({ params, request }) => ({
      data: presentUserMount(await getUserMount(ctx, actorOf(request), params.id)),
    })),
  )
}
