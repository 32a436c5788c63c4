import { Readable } from 'node:stream'
import { BACKUP_PASSPHRASE_HEADER, backupErrors, backupRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { leaveBodiesRaw } from '../../../http/bodies/raw-bodies.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import { AppError } from '../../../lib/app-error.ts'
import { toInstant } from '../../../lib/clock.ts'
import { contentDisposition } from '../../../lib/bodies/content-headers.ts'
import type { AdminActor } from '../../foundation/identity/actor.models.ts'
import { actorOf, stillActorOf } from '../../foundation/identity/request-actor.http.ts'
import { exportBackup } from './export.usecases.ts'
import { importBackup } from './import.usecases.ts'

/** @throws {AppError} `backup.passphrase_wrong` if the header is not valid percent-encoding */
function passphraseOf(request: FastifyRequest): string | null {
  const header = request.headers[BACKUP_PASSPHRASE_HEADER]
  if (typeof header !== 'string' || header === '') return null
  try {
    return decodeURIComponent(header)
  } catch (cause) {
    throw new AppError(backupErrors.passphrase_wrong, { cause })
  }
}

export async function backupPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  app.route(
    fromContract(backupRoutes.export, async ({ body, reply }) => {
      const day = toInstant(ctx.clock.nowMs()).slice(0, 'yyyy-mm-dd'.length)
      return reply
        .header('content-disposition', contentDisposition('attachment', `dropleaf-${day}.ndjson`))
        .type('application/x-ndjson')
        .send(Readable.from(exportBackup(ctx, body?.passphrase ?? null)))
    }),
  )
  await app.register(rawImport, { ctx })
}

/** Registers the import route, which reads the file from the raw body. */
async function rawImport(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  leaveBodiesRaw(app)
  app.route(
    fromContract(backupRoutes.import, async ({ query, request }) => ({
      data: await importBackup(ctx, {
        source: request.raw,
        passphrase: passphraseOf(request),
        mode: query.mode,
        isConfirmed: query.confirm === true,
        actor: actorOf(request) as AdminActor,
        requireMay: async () => void (await stillActorOf(request)),
      }),
    })),
  )
}
