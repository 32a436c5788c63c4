import { fileErrors, fileRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { languageOf, messageFor } from '../../../messages/index.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { publicUrlOf } from '../../../http/core/urls.ts'
import { keyNamesOf } from '../../foundation/identity/api-keys.usecases.ts'
import { type Actor, ownerFilter } from '../../foundation/identity/actor.models.ts'
import { actorOf } from '../../foundation/identity/request-actor.http.ts'
import { allSharesQuery, ownSharesQuery } from '../../foundation/identity/share-queries.models.ts'
import { configsById } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { openingNotesOf } from '../../foundation/share-opening/share-opening.usecases.ts'
import { presentDetail, presentOwned } from './files.presenters.ts'
import type { FileRow } from './files.table.ts'
import type { FileQuery } from './file-lists.repository.ts'
import { deleteFiles, type FileListQuery, getOwnFile, listFiles, updateFile } from './own-files.usecases.ts'
import { deleteMatchingFiles } from './matching-files.usecases.ts'
import { publicFilesPlugin } from './public-files.routes.ts'
import { uploadsPlugin } from './uploads/uploads.routes.ts'

async function namesFor(ctx: AppContext, rows: readonly FileRow[]) {
  const [configs, keyName, notes] = await Promise.all([
    configsById(
      ctx,
      rows.map((row) => row.storage_config_id),
    ),
    keyNamesOf(
      ctx,
      rows.map((row) => row.created_by),
    ),
    openingNotesOf(ctx, rows),
  ])
  return { configs, keyName, notes }
}

async function presentPage(ctx: AppContext, request: FastifyRequest, listing: FileListQuery) {
  const { rows, total } = await listFiles(ctx, listing)
  const names = await namesFor(ctx, rows)
  const origin = publicUrlOf(request, ctx.config)
  const { limit, offset } = listing
  return {
    files: rows.map((row) => presentOwned(ctx, row, names, origin)),
    pagination: { total, limit, offset, hasMore: offset + rows.length < total },
  }
}

const pageOf = ({ sort, order, limit, offset }: Omit<FileListQuery, 'query'>) => ({
  sort,
  order,
  limit,
  offset,
})

async function presentOne(ctx: AppContext, request: FastifyRequest, id: string) {
  const row = await getOwnFile(ctx, actorOf(request), id)
  return presentDetail(ctx, row, await namesFor(ctx, [row]), publicUrlOf(request, ctx.config))
}

async function presentDeletion(ctx: AppContext, request: FastifyRequest, ids: readonly string[]) {
  const { deleted, failed } = await deleteFiles(ctx, ownerFilter(actorOf(request)), ids)
  const error = messageFor(fileErrors.not_found.code, languageOf(request.headers['accept-language']))
  return { success: deleted, failed: failed.map((id) => ({ id, error })) }
}

const presentKeyInfo = (actor: Actor) =>
  actor.kind === 'key' ? { id: actor.id, name: actor.name, basicPath: actor.basicPath } : null

type AllFilesInput = Parameters<typeof allSharesQuery>[0] & { readonly s3_config_id: string | null }

const allFilesQuery = (input: AllFilesInput): FileQuery => ({
  ...allSharesQuery(input),
  storageConfigId: input.s3_config_id ?? undefined,
})

function adminRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(fileRoutes.adminList, async ({ query, request }) => ({
      data: await presentPage(ctx, request, { query: allFilesQuery(query), ...pageOf(query) }),
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

function matchingRoutes(app: FastifyInstance, ctx: AppContext): void {
  const over = { search: null, state: 'over', protected: null } as const
  app.route(
    fromContract(fileRoutes.adminDeleteMatching, async ({ body, request }) => ({
      data: await deleteMatchingFiles(ctx, actorOf(request), allFilesQuery(body)),
    })),
  )
  app.route(
    fromContract(fileRoutes.adminClearExpired, async ({ request }) => ({
      data: await deleteMatchingFiles(ctx, actorOf(request), over),
    })),
  )
  app.route(
    fromContract(fileRoutes.userDeleteMatching, async ({ body, request }) => {
      const actor = actorOf(request)
      return { data: await deleteMatchingFiles(ctx, actor, ownSharesQuery(actor, body)) }
    }),
  )
  app.route(
    fromContract(fileRoutes.userClearExpired, async ({ request }) => {
      const actor = actorOf(request)
      return { data: await deleteMatchingFiles(ctx, actor, ownSharesQuery(actor, over)) }
    }),
  )
}

function userRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(fileRoutes.userList, async ({ query, request }) => {
      const actor = actorOf(request)
      return {
        data: await presentPage(ctx, request, {
          query: ownSharesQuery(actor, query),
          ...pageOf(query),
        }),
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
  matchingRoutes(app, ctx)
}
