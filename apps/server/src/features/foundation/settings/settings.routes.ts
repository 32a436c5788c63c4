import { requestErrors, operationRoutes, systemRoutes } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { AppError } from '../../../lib/app-error.ts'
import { toInstant } from '../../../lib/clock.ts'
import { PRODUCT_VERSION, PROTOCOL_VERSION } from '../../../lib/version.ts'
import { listSettings, readSettings, updateSettings } from './settings.usecases.ts'

function statusRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.route(
    fromContract(systemRoutes.version, async () => ({
      data: {
        version: PRODUCT_VERSION,
        name: 'dropleaf',
        protocol: PROTOCOL_VERSION,
        environment: 'Node.js',
        storage: ctx.database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
        nodeVersion: process.version,
        uptime: Math.floor(process.uptime()),
        sourceUrl: ctx.config.sourceUrl,
      },
    })),
  )
  app.route(
    fromContract(
      systemRoutes.health,
      async () => ({ status: 'ok' as const, timestamp: toInstant(ctx.clock.nowMs()) }),
      { withHead: true },
    ),
  )
  app.route(
    fromContract(
      systemRoutes.readiness,
      async () => {
        if (app.isDraining()) throw new AppError(requestErrors.unavailable)
        try {
          await sql`select 1`.execute(ctx.db)
        } catch (error) {
          throw new AppError(requestErrors.unavailable, { cause: error })
        }
        return { status: 'ready' as const, timestamp: toInstant(ctx.clock.nowMs()) }
      },
      { withHead: true },
    ),
  )
}

export async function settingsPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(operationRoutes.readSettings, async () => ({
      data: (await listSettings(ctx)).map((row) => ({
        key: row.key,
        value: row.value,
        description: row.description,
        updated_at: toInstant(row.updatedAtMs),
      })),
    })),
  )
  app.route(
    fromContract(operationRoutes.updateSettings, async ({ body }) => {
      await updateSettings(ctx, body)
      return {}
    }),
  )
  app.route(
    fromContract(systemRoutes.maxUploadSize, async () => ({
      data: { max_upload_size: (await readSettings(ctx)).maxUploadMb },
    })),
  )
  app.route(
    fromContract(systemRoutes.sealing, async () => ({
      data: { policy: (await readSettings(ctx)).sealedPolicy },
    })),
  )
  statusRoutes(app, ctx)
}
