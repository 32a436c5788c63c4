import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { AppContext } from './context.ts'
import { apiKeysPlugin } from './features/foundation/identity/api-keys.routes.ts'
import { sweepAuditJob } from './features/operations/audit/audit.jobs.ts'
import { auditRepository } from './features/operations/audit/audit.repository.ts'
import { auditPlugin } from './features/operations/audit/audit.routes.ts'
import { backupPlugin } from './features/operations/backup/backup.routes.ts'
import { auditActorOf, creatorOf } from './features/foundation/identity/actor.models.ts'
import { sweepSessionsJob } from './features/foundation/identity/auth.jobs.ts'
import { authentication, authPlugin } from './features/operations/login/login.routes.ts'
import { isAdminName } from './features/foundation/identity/auth.usecases.ts'
import { bundleReadingPlugin } from './features/capabilities/bundles/reading/bundle-reading.routes.ts'
import { dashboardPlugin } from './features/operations/dashboard/dashboard.routes.ts'
import { sweepFilesJob } from './features/capabilities/files/files.jobs.ts'
import { filesPlugin } from './features/capabilities/files/files.routes.ts'
import { matchingFilesHandler } from './features/capabilities/files/matching-files.usecases.ts'
import {
  carryOutRemovals,
  carryOutRemovalsSoon,
} from './features/capabilities/files/objects/removals.usecases.ts'
import { sweepBundlesJob } from './features/capabilities/bundles/bundles.jobs.ts'
import { bundlesPlugin } from './features/capabilities/bundles/bundles.routes.ts'
import { sharesPlugin } from './features/capabilities/shares/shares.routes.ts'
import { fsListingPlugin } from './features/capabilities/fs/listing/list.routes.ts'
import { fsArchivePlugin } from './features/capabilities/archives/archive.routes.ts'
import { fsPlugin } from './features/capabilities/fs/fs.routes.ts'
import { sweepUploadsJob } from './features/capabilities/fs/uploads/uploads.jobs.ts'
import { removalHandler } from './features/capabilities/fs/transfers/removing.usecases.ts'
import { fsTransfersPlugin } from './features/capabilities/fs/transfers/transfers.routes.ts'
import { transferHandler } from './features/capabilities/fs/transfers/transfers.usecases.ts'
import { sweepPastesJob } from './features/capabilities/pastes/pastes.jobs.ts'
import { metricsPlugin } from './features/operations/metrics/metrics.routes.ts'
import { mountsPlugin } from './features/foundation/mounts/mounts.routes.ts'
import { matchingPastesHandler } from './features/capabilities/pastes/matching-pastes.usecases.ts'
import { pasteRevisionsPlugin } from './features/capabilities/pastes/paste-revisions.routes.ts'
import { pastesPlugin } from './features/capabilities/pastes/pastes.routes.ts'
import { crawlJob } from './features/foundation/object-index/crawl.jobs.ts'
import { searchPlugin } from './features/capabilities/search/search.routes.ts'
import { crawlAnewIfFailed, distrustIndex } from './features/foundation/object-index/index-status.usecases.ts'
import { listenToChanges } from './features/foundation/object-index/storage-changes.usecases.ts'
import { sweepUnfinishedUploadsJob } from './features/operations/reconciliation/reconciliation.jobs.ts'
import { reconciliationHandler } from './features/operations/reconciliation/reconciliation.usecases.ts'
import { reconciliationPlugin } from './features/operations/reconciliation/reconciliation.routes.ts'
import { restoredPlugin } from './features/foundation/restored/restored.routes.ts'
import { samplesPlugin } from './features/operations/samples/samples.routes.ts'
import { shellPlugin } from './features/operations/shell/shell.routes.ts'
import { settingsPlugin } from './features/foundation/settings/settings.routes.ts'
import { storageConfigsPlugin } from './features/foundation/storage-configs/storage-configs.routes.ts'
import { storageOrigins } from './features/foundation/storage-configs/storage-configs.usecases.ts'
import { sweepTasksJob } from './features/foundation/tasks/tasks.jobs.ts'
import { thumbnailsPlugin } from './features/capabilities/thumbnails/thumbnails.routes.ts'
import { tasksPlugin } from './features/foundation/tasks/tasks.routes.ts'
import { importHandler } from './features/capabilities/url-import/imports.usecases.ts'
import { sweepUrlUploadsJob } from './features/capabilities/url-import/url-import.jobs.ts'
import { openingPlugin } from './features/capabilities/opening/opening.routes.ts'
import { sweepOpeningsJob } from './features/foundation/share-opening/share-opening.jobs.ts'
import { filePartsPlugin } from './features/capabilities/file-parts/file-parts.routes.ts'
import { urlImportPlugin } from './features/capabilities/url-import/url-import.routes.ts'
import { isPreviewer } from './features/foundation/share-opening/previewers.models.ts'
import { sweepLocksJob } from './features/foundation/object-locks/locks.jobs.ts'
import { webdavPlugin } from './features/operations/webdav/webdav.routes.ts'
import { welcomePlugin } from './features/operations/welcome/welcome.routes.ts'
import { installAccess } from './http/core/access.ts'
import { installAudit } from './http/audit/audit.ts'
import { installApiDocs } from './http/docs/api-docs.ts'
import { installBodyParsers, OPEN_BODY_LIMIT_BYTES } from './http/bodies/body-parsers.ts'
import { answerBrokenConnection } from './http/limits/broken-connection.ts'
import { applyForwardedAddresses } from './http/core/client-address.ts'
import { installCompression } from './http/bodies/compression.ts'
import { installBundleLinks, withPlainBundles } from './http/core/bundle-links.ts'
import { installCors } from './http/core/cors.ts'
import { installDraining } from './http/limits/draining.ts'
import { answerUnroutable, installErrorHandler } from './http/core/error-handler.ts'
import { installIdempotency, sweepIdempotencyJob } from './http/idempotency/idempotency.ts'
import { installRequestEnd } from './http/core/request-end.ts'
import { installRequestLog, requestLogger } from './http/core/request-log.ts'
import { installRobotsRule } from './http/core/robots.ts'
import { serializerCompiler, validatorCompiler } from './http/core/route-adapter.ts'
import { applyWholeAddress, withoutSecondApi } from './http/core/urls.ts'
import { withoutBasePath } from './lib/urls.ts'
import { installTracing } from './http/core/tracing.ts'
import { installWebApp } from './http/bodies/web-app.ts'
import { installHostRule } from './http/limits/hosts.ts'
import { installIdleRule } from './http/limits/idle-connections.ts'
import { installSlowBodyRule } from './http/limits/slow-bodies.ts'
import { applyMethodOverride } from './http/core/method-override.ts'

const DEFAULT_WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url))
const MAX_PARAMETER_CHARACTERS = 4096
/** Time limit for complete request headers. A body can take longer, as long as data keeps arriving. */
const HEADERS_TIMEOUT_MS = 60_000
const IDLE_TIMEOUT_MS = 120_000

/** Returns Fastify's trust rule for a number of proxies, a list of proxies, or none. */
function trustRule(setting: false | number | string) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}

/** Keeps Fastify from loading its default schema compilers. `route-adapter.ts` sets the compilers that are used. */
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
      const url = withoutSecondApi(withoutBasePath(request.url ?? '/', ctx.config.basePath))
      return withPlainBundles(request, { url, isPreviewer })
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

/** Installs the plugins in the order in which requests pass through them. */
async function installPlugins(app: FastifyInstance, ctx: AppContext): Promise<void> {
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
  installRobotsRule(app)
  installBundleLinks(app)
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
}

async function registerFeatures(app: FastifyInstance, ctx: AppContext): Promise<void> {
  await app.register(authPlugin, { ctx })
  await app.register(apiKeysPlugin, { ctx })
  await app.register(pastesPlugin, { ctx })
  await app.register(pasteRevisionsPlugin, { ctx })
  await app.register(filesPlugin, { ctx })
  await app.register(bundlesPlugin, { ctx })
  await app.register(sharesPlugin, { ctx })
  await app.register(openingPlugin, { ctx })
  await app.register(bundleReadingPlugin, { ctx })
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
    storageOrigins: () => storageOrigins(ctx),
  })
}

function subscribeToEvents(app: FastifyInstance, ctx: AppContext): void {
  ctx.events.on('storage_deleting', () => carryOutRemovals(ctx))
  ctx.events.on('storage_relocated', ({ configId }) => distrustIndex(ctx, configId))
  ctx.events.on('storage_reopened', ({ configId }) => crawlAnewIfFailed(ctx, configId))
  ctx.events.on('restore_confirmed', () => carryOutRemovalsSoon(ctx))

  const stopListening = listenToChanges(ctx)
  app.addHook('onClose', async () => stopListening())
}

function addJobs(ctx: AppContext): void {
  for (const job of [
    sweepPastesJob(ctx),
    sweepFilesJob(ctx),
    sweepBundlesJob(ctx),
    sweepOpeningsJob(ctx),
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
}

function handleTasks(ctx: AppContext): void {
  ctx.tasks.handle('copy', transferHandler(ctx, { isMove: false }))
  ctx.tasks.handle('move', transferHandler(ctx, { isMove: true }))
  ctx.tasks.handle('delete', removalHandler(ctx))
  ctx.tasks.handle('url_import', importHandler(ctx))
  ctx.tasks.handle('delete_texts', matchingPastesHandler(ctx))
  ctx.tasks.handle('delete_files', matchingFilesHandler(ctx))
  ctx.tasks.handle('reconcile', reconciliationHandler(ctx))
}

/** Builds the HTTP application, and connects the features to events, jobs and tasks. */
export async function buildApp(ctx: AppContext): Promise<FastifyInstance> {
  const app = createServer(ctx)
  await installPlugins(app, ctx)
  await registerFeatures(app, ctx)
  subscribeToEvents(app, ctx)
  addJobs(ctx)
  handleTasks(ctx)
  return app
}
