import { fileErrors, fileRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../../context.ts'
import { languageOf, messageFor } from '../../http/messages/index.ts'
import { fromContract } from '../../http/route-adapter.ts'
import { originOf } from '../../http/urls.ts'
import { keyNamesOf } from '../api-keys/api-keys.usecases.ts'
import { type Actor, creatorOf } from '../auth/actor.models.ts'
import { actorOf } from '../auth/request-actor.models.ts'
import { configsById } from '../storage-configs/storage-configs.usecases.ts'
import { presentDetail, presentOwned } from './files.presenters.ts'
import type { FileRow } from './files.table.ts'
import { deleteFiles, getOwnFile, listFiles, updateFile } from './files.usecases.ts'
import { publicFilesPlugin } from './public-files.routes.ts'
import { uploadsPlugin } from './uploads.routes.ts'

async function namesFor(ctx: AppContext, rows: readonly FileRow[]) {
  const [configs, keyName] = await Promise.all([
    configsById(
      ctx,
      rows.map((row) => row.storage_config_id),
    ),
    keyNamesOf(
      ctx,
      rows.map((row) => row.created_by),
    ),
  ])
  return { configs, keyName }
}

async function presentPage(
  ctx: AppContext,
  request: FastifyRequest,
  query: {
    limit: number
    offset: number
    createdBy?: string | undefined
    storageConfigId?: string | undefined
  },
) {
  const { rows, total } = await listFiles(ctx, query)
  const names = await namesFor(ctx, rows)
  const origin = originOf(request, ctx.config.publicUrl)
  const { limit, offset } = query
  return {
    files: rows.map((row) => presentOwned(ctx, row, names, origin)),
    pagination: { total, limit, offset, hasMore: offset + rows.length < total },
  }
}

async function presentOne(ctx: AppContext, request: FastifyRequest, id: string) {
  const row = await getOwnFile(ctx, actorOf(request), id)
  return presentDetail(ctx, row, await namesFor(ctx, [row]), originOf(request, ctx.config.publicUrl))
}

async function presentDeletion(ctx: AppContext, request: FastifyRequest, ids: readonly string[]) {
  const { deleted, failed } = await deleteFiles(ctx, actorOf(request), ids)
  const error = messageFor(fileErrors.not_found.code, languageOf(request.headers['accept-language']))
  return { success: deleted, failed: failed.map((id) => ({ id, error })) }
}

const presentKeyInfo = (actor: Actor) =>
  actor.kind === 'key' ? { id: actor.id, name: actor.name, basicPath: actor.basicPath } : null

function adminRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(fileRoutes.adminList, async ({ query, request }) => ({
      data: await presentPage(ctx, request, {
        limit: query.limit,
        offset: query.offset,
        createdBy: query.created_by ?? undefined,
        storageConfigId: query.s3_config_id ?? undefined,
      }),
    })),
  )
  app.route(
    fromContract(fileRoutes.adminRead, async ({ params, request }) => ({
      data: await presentOne(ctx, request, params.id),
    })),
  )
  app.route(
    fromContract(fileRoutes.adminUpdate, async ({ params, body, request }) => {
      await updateFile(ctx, actorOf(request), params.id, body)
      return {}
    }),
  )
  app.route(
    fromContract(fileRoutes.adminBatchDelete, async ({ body, request }) => ({
      data: await presentDeletion(ctx, request, body.ids),
    })),
  )
}

function userRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(fileRoutes.userList, async ({ query, request }) => {
      const actor = actorOf(request)
      return {
        data: await presentPage(ctx, request, { ...query, createdBy: creatorOf(actor) }),
        key_info: presentKeyInfo(actor),
      }
    }),
  )
  app.route(
    fromContract(fileRoutes.userRead, async ({ params, request }) => ({
      data: await presentOne(ctx, request, params.id),
    })),
  )
  app.route(
    fromContract(fileRoutes.userUpdate, async ({ params, body, request }) => {
      await updateFile(ctx, actorOf(request), params.id, body)
      return {}
    }),
  )
  app.route(
    fromContract(fileRoutes.userBatchDelete, async ({ body, request }) => ({
      data: await presentDeletion(ctx, request, body.ids),
    })),
  )
}

export async function filesPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  await app.register(uploadsPlugin, { ctx })
  await app.register(publicFilesPlugin, { ctx })
  adminRoutes(app, ctx)
  userRoutes(app, ctx)
}
