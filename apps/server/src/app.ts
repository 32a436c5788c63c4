import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { AppContext } from './context.ts'
import { apiKeysPlugin } from './features/api-keys/api-keys.routes.ts'
import { sweepAuditJob } from './features/audit/audit.jobs.ts'
import { auditRepository } from './features/audit/audit.repository.ts'
import { auditPlugin } from './features/audit/audit.routes.ts'
import { backupPlugin } from './features/backup/backup.routes.ts'
import { auditActorOf, creatorOf } from './features/auth/actor.models.ts'
import { sweepSessionsJob } from './features/auth/auth.jobs.ts'
import { authentication, authPlugin } from './features/auth/auth.routes.ts'
import { isAdminName } from './features/auth/auth.usecases.ts'
import { dashboardPlugin } from './features/dashboard/dashboard.routes.ts'
import { sweepFilesJob } from './features/files/files.jobs.ts'
import { filesPlugin } from './features/files/files.routes.ts'
import { matchingFilesHandler } from './features/files/matching-files.usecases.ts'
import { carryOutRemovals, carryOutRemovalsSoon } from './features/files/removals.usecases.ts'
import { fsListingPlugin } from './features/fs/list.routes.ts'
import { fsArchivePlugin } from './features/fs/archive.routes.ts'
import { fsPlugin } from './features/fs/fs.routes.ts'
import { sweepUploadsJob } from './features/fs/uploads.jobs.ts'
import { removalHandler } from './features/fs/removing.usecases.ts'
import { fsTransfersPlugin } from './features/fs/transfers.routes.ts'
import { transferHandler } from './features/fs/transfers.usecases.ts'
import { sweepPastesJob } from './features/pastes/pastes.jobs.ts'
import { metricsPlugin } from './features/metrics/metrics.routes.ts'
import { mountsPlugin } from './features/mounts/mounts.routes.ts'
import { matchingPastesHandler } from './features/pastes/matching-pastes.usecases.ts'
import { pasteRevisionsPlugin } from './features/pastes/paste-revisions.routes.ts'
import { pastesPlugin } from './features/pastes/pastes.routes.ts'
import { crawlJob } from './features/search/search.jobs.ts'
import { searchPlugin } from './features/search/search.routes.ts'
import { crawlAnewIfFailed, distrustIndex } from './features/search/index-status.usecases.ts'
import { listenToChanges } from './features/search/storage-changes.usecases.ts'
import { sweepUnfinishedUploadsJob } from './features/reconciliation/reconciliation.jobs.ts'
import { reconciliationHandler } from './features/reconciliation/reconciliation.usecases.ts'
import { reconciliationPlugin } from './features/reconciliation/reconciliation.routes.ts'
import { restoredPlugin } from './features/restored/restored.routes.ts'
import { samplesPlugin } from './features/samples/samples.routes.ts'
import { shellPlugin } from './features/shell/shell.routes.ts'
import { settingsPlugin } from './features/settings/settings.routes.ts'
import { storageConfigsPlugin } from './features/storage-configs/storage-configs.routes.ts'
import { sweepTasksJob } from './features/tasks/tasks.jobs.ts'
import { thumbnailsPlugin } from './features/fs/thumbnails.routes.ts'
import { tasksPlugin } from './features/tasks/tasks.routes.ts'
import { importHandler } from './features/url-import/imports.usecases.ts'
import { sweepUrlUploadsJob } from './features/url-import/url-import.jobs.ts'
import { filePartsPlugin } from './features/file-parts/file-parts.routes.ts'
import { urlImportPlugin } from './features/url-import/url-import.routes.ts'
import { sweepLocksJob } from './features/webdav/webdav.jobs.ts'
import { webdavPlugin } from './features/webdav/webdav.routes.ts'
import { welcomePlugin } from './features/welcome/welcome.routes.ts'
import { installAccess } from './http/access.ts'
import { installAudit } from './http/audit.ts'
import { installApiDocs } from './http/api-docs.ts'
import { installBodyParsers, OPEN_BODY_LIMIT_BYTES } from './http/body-parsers.ts'
import { answerBrokenConnection } from './http/broken-connection.ts'
import { applyForwardedAddresses } from './http/client-address.ts'
import { installCompression } from './http/compression.ts'
import { installCors } from './http/cors.ts'
import { installDraining } from './http/draining.ts'
import { answerUnroutable, installErrorHandler } from './http/error-handler.ts'
import { installIdempotency, sweepIdempotencyJob } from './http/idempotency.ts'
import { installRequestEnd } from './http/request-end.ts'
import { installRequestLog, requestLogger } from './http/request-log.ts'
import { serializerCompiler, validatorCompiler } from './http/route-adapter.ts'
import { applyWholeAddress, withoutBasePath, withoutSecondApi } from './http/urls.ts'
import { installTracing } from './http/tracing.ts'
import { installWebApp } from './http/web-app.ts'
import { installHostRule } from './http/hosts.ts'
import { installIdleRule } from './http/idle-connections.ts'
import { installSlowBodyRule } from './http/slow-bodies.ts'
import { applyMethodOverride } from './http/method-override.ts'

const DEFAULT_WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url))
const MAX_PARAMETER_CHARACTERS = 4096
/** A connection that sends nothing of a request for this long is closed; bodies may take as long as they keep coming. */
const HEADERS_TIMEOUT_MS = 60_000
const IDLE_TIMEOUT_MS = 120_000

/** A number of proxies, a list of them, or none. */
function trustRule(setting: false | number | string) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}

/** Fastify loads two compilers of schemas unless it is given some; those of `route-adapter.ts` are all that there are. */
function noOther(): never {
  throw new Error('A route has a schema, and nothing that compiles it.')
}

function createServer(ctx: AppContext): FastifyInstance {
  return Fastify({
    loggerInstance: ctx.log,
    genReqId: () => randomUUID(),
    childLoggerFactory: requestLogger,
    rewriteUrl(request) {
      applyMethodOverride(request)
      applyForwardedAddresses(request)
      applyWholeAddress(request)
      return withoutSecondApi(withoutBasePath(request.url ?? '/', ctx.config.basePath))
    },
    bodyLimit: OPEN_BODY_LIMIT_BYTES,
    requestTimeout: 0,
    connectionTimeout: IDLE_TIMEOUT_MS,
    trustProxy: trustRule(ctx.config.trustProxy),
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    exposeHeadRoutes: false,
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerBrokenConnection,
    routerOptions: { maxParamLength: MAX_PARAMETER_CHARACTERS },
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true }),
    schemaController: { compilersFactory: { buildValidator: noOther, buildSerializer: noOther } },
  })
}

/** The whole HTTP application. What it can do reads off this list. */
export async function buildApp(ctx: AppContext): Promise<FastifyInstance> {
  const app = createServer(ctx)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  installAccess(app)
  installBodyParsers(app)
  installErrorHandler(app)
  installRequestEnd(app, { stopMs: ctx.config.shutdownSeconds * 1000 })
  installDraining(app)
  installTracing(app, ctx)
  installRequestLog(app, ctx.log)
  installIdleRule(app)
  installSlowBodyRule(app)
  installHostRule(app)
  await installCors(app)
  installCompression(app)
  installApiDocs(app)
  await app.register(metricsPlugin, { ctx })
  await app.register(authentication, { ctx })
  installAudit(app, {
    log: ctx.audit,
    whoOf: ({ actor }) => (actor === null ? null : auditActorOf(actor)),
    isAdminName: (name) => isAdminName(ctx, name),
    namesFor: (action, ids) => auditRepository(ctx.db).namesFor(action, ids),
    basePath: ctx.config.basePath,
  })
  installIdempotency(app, ctx, ({ actor }) => (actor === null ? 'visitor' : creatorOf(actor)))

  await app.register(authPlugin, { ctx })
  await app.register(apiKeysPlugin, { ctx })
  await app.register(pastesPlugin, { ctx })
  await app.register(pasteRevisionsPlugin, { ctx })
  await app.register(filesPlugin, { ctx })
  await app.register(storageConfigsPlugin, { ctx })
  await app.register(mountsPlugin, { ctx })
  await app.register(fsPlugin, { ctx })
  await app.register(thumbnailsPlugin, { ctx })
  await app.register(fsTransfersPlugin, { ctx })
  await app.register(fsArchivePlugin, { ctx })
  await app.register(tasksPlugin, { ctx })
  await app.register(fsListingPlugin, { ctx })
  await app.register(searchPlugin, { ctx })
  await app.register(filePartsPlugin, { ctx })
  await app.register(urlImportPlugin, { ctx })
  await app.register(shellPlugin, { ctx })
  await app.register(settingsPlugin, { ctx })
  await app.register(dashboardPlugin, { ctx })
  await app.register(backupPlugin, { ctx })
  await app.register(auditPlugin, { ctx })
  await app.register(reconciliationPlugin, { ctx })
  await app.register(restoredPlugin, { ctx })
  await app.register(welcomePlugin, { ctx })
  await app.register(samplesPlugin, { ctx })
  await app.register(webdavPlugin, { ctx })
  await installWebApp(app, {
    root: ctx.config.webRoot ?? DEFAULT_WEB_ROOT,
    basePath: ctx.config.basePath,
  })

  ctx.events.on('storage_deleting', () => carryOutRemovals(ctx))
  ctx.events.on('storage_relocated', ({ configId }) => distrustIndex(ctx, configId))
  ctx.events.on('storage_reopened', ({ configId }) => crawlAnewIfFailed(ctx, configId))
  ctx.events.on('restore_confirmed', () => carryOutRemovalsSoon(ctx))

  const stopListening = listenToChanges(ctx)
  app.addHook('onClose', async () => stopListening())
  for (const job of [
    sweepPastesJob(ctx),
    sweepFilesJob(ctx),
    sweepUploadsJob(ctx),
    sweepUnfinishedUploadsJob(ctx),
    sweepSessionsJob(ctx),
    sweepTasksJob(ctx),
    crawlJob(ctx),
    sweepUrlUploadsJob(ctx),
    sweepLocksJob(ctx),
    sweepIdempotencyJob(ctx),
    sweepAuditJob(ctx),
  ])
    ctx.jobs.add(job)
  ctx.tasks.handle('copy', transferHandler(ctx, { isMove: false }))
  ctx.tasks.handle('move', transferHandler(ctx, { isMove: true }))
  ctx.tasks.handle('delete', removalHandler(ctx))
  ctx.tasks.handle('url_import', importHandler(ctx))
  ctx.tasks.handle('delete_texts', matchingPastesHandler(ctx))
  ctx.tasks.handle('delete_files', matchingFilesHandler(ctx))
  ctx.tasks.handle('reconcile', reconciliationHandler(ctx))
  return app
}
