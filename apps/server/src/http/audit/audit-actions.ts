import type { AuditAction } from '@dropleaf/contract'

/** Marks routes that are not logged, see {@link CHANGING_ROUTES}. */
const NOTHING = 'changes nothing'
const LATER = 'written down when it is complete'

/** The audit action of each changing route. The server does not start if a changing route is missing here. */
export const CHANGING_ROUTES: Readonly<Record<string, AuditAction | typeof NOTHING | typeof LATER>> = {
  'POST /api/admin/login': 'session.login',
  'POST /api/admin/logout': 'session.logout',
  'DELETE /api/admin/sessions/:id': 'session.end',
  'POST /api/admin/sessions/end-others': 'session.end_others',
  'POST /api/admin/change-password': 'account.change',
  'POST /api/admin/api-keys': 'api_key.create',
  'PUT /api/admin/api-keys/:id': 'api_key.change',
  'DELETE /api/admin/api-keys/:id': 'api_key.delete',
  'POST /api/admin/backup/export': 'backup.export',
  'POST /api/admin/backup/import': 'backup.import',
  'POST /api/admin/cache/clear': 'cache.clear',
  'POST /api/user/cache/clear': 'cache.clear',
  'PUT /api/admin/system-settings': 'settings.change',
  'PUT /api/admin/welcome': 'guide.save',
  'POST /api/admin/samples': 'samples.create',
  'DELETE /api/admin/samples': 'samples.delete',
  'POST /api/admin/reconciliation': 'storage.check',
  'POST /api/admin/restored/confirm': 'backup.confirm_restored',
  'POST /api/admin/index/:configId/rebuild': 'index.rebuild',
  'POST /api/admin/mounts': 'mount.create',
  'PUT /api/admin/mounts/:id': 'mount.change',
  'DELETE /api/admin/mounts/:id': 'mount.delete',
  'POST /api/s3-configs': 'storage.create',
  'PUT /api/s3-configs/:id': 'storage.change',
  'DELETE /api/s3-configs/:id': 'storage.delete',
  'PUT /api/s3-configs/:id/set-default': 'storage.set_default',
  'POST /api/s3-configs/:id/test': 'storage.test',

  'POST /api/paste': 'text.create',
  'POST /': 'text.create',
  'PUT /api/admin/pastes/:id': 'text.change',
  'PUT /api/user/pastes/:id': 'text.change',
  'DELETE /api/admin/pastes/:id': 'text.delete',
  'DELETE /api/user/pastes/:id': 'text.delete',
  'POST /api/admin/pastes/batch-delete': 'text.delete',
  'POST /api/user/pastes/batch-delete': 'text.delete',
  'POST /api/admin/pastes/clear-expired': 'text.delete_expired',
  'POST /api/user/pastes/clear-expired': 'text.delete_expired',
  'POST /api/admin/pastes/delete-matching': 'text.delete_matching',
  'POST /api/user/pastes/delete-matching': 'text.delete_matching',
  'POST /api/pastes/:id/revisions/:revision/restore': 'text.restore',
  'DELETE /api/pastes/:id/revisions': 'text.forget',
  'POST /api/paste/:slug': NOTHING,
  'POST /api/opening/paste/:id/arm': 'text.arm',
  'POST /api/opening/paste/ask-limited': 'text.ask_limited',
  'POST /api/opening/paste/:slug/open': NOTHING,
  'POST /api/opening/paste/:slug/take': NOTHING,

  'POST /api/s3/presign': LATER,
  'PUT /api/storage/:config/*': LATER,
  'POST /api/s3/commit': 'file.create',
  'POST /api/s3/multipart/init': LATER,
  'PUT /api/s3/multipart/part': LATER,
  'POST /api/s3/multipart/complete': 'file.create',
  'POST /api/s3/multipart/abort': NOTHING,
  'POST /api/upload': 'file.create',
  'PUT /api/upload-direct/:filename': 'file.create',
  'PUT /:filename': 'file.create',
  'POST /api/fs/share': 'file.create',
  'PUT /api/admin/files/:id': 'file.change',
  'PUT /api/user/files/:id': 'file.change',
  'DELETE /api/admin/files/batch-delete': 'file.delete',
  'DELETE /api/user/files/batch-delete': 'file.delete',
  'POST /api/admin/files/clear-expired': 'file.delete_expired',
  'POST /api/user/files/clear-expired': 'file.delete_expired',
  'POST /api/admin/files/delete-matching': 'file.delete_matching',
  'POST /api/user/files/delete-matching': 'file.delete_matching',
  'POST /api/public/files/:slug/verify': NOTHING,
  'POST /api/opening/file/:id/arm': 'file.arm',
  'POST /api/opening/file/ask-limited': 'file.ask_limited',
  'POST /api/opening/file/:slug/open': NOTHING,
  'POST /api/opening/file/:slug/take': NOTHING,
  'POST /api/opening/:kind/:slug/intent': NOTHING,
  'POST /api/opening/:kind/:slug/intent/trap': NOTHING,
  'POST /api/url/info': NOTHING,
  'POST /api/url/presign': LATER,
  'POST /api/url/multipart/init': LATER,
  'POST /api/url/multipart/complete': 'file.create',
  'POST /api/url/multipart/abort': NOTHING,
  'POST /api/url/commit': 'file.create',
  'POST /api/url/cancel': NOTHING,
  'POST /api/url/import': 'import.start',

  'POST /api/bundles': 'bundle.create',
  'POST /api/bundles/:id/revisions': 'bundle.publish',
  'POST /api/bundles/:id/revisions/:r/restore': 'bundle.restore',
  'PUT /api/bundles/:id': 'bundle.change',
  'POST /api/bundles/delete': 'bundle.delete',
  'POST /api/opening/bundle/:slug/take': NOTHING,
  'POST /api/bundles/:slug/addresses': NOTHING,
  'POST /api/bundles/:slug/open': NOTHING,
  'POST /api/bundles/:slug/archive': NOTHING,
  'POST /api/opening/bundle/:id/arm': 'bundle.arm',
  'PUT /api/bundles/:id/objects/:n': LATER,
  'POST /api/bundles/:id/objects': LATER,
  'PUT /api/bundles/:id/objects/:n/parts/:part': LATER,
  'POST /api/bundles/:id/objects/:n/complete': LATER,
  'DELETE /api/bundles/:id/objects/:n': NOTHING,

  'POST /api/fs/upload': 'drive.write',
  'PUT /api/fs/upload': 'drive.write',
  'POST /api/fs/update': 'drive.write',
  'POST /api/fs/presign': LATER,
  'POST /api/fs/presign/commit': 'drive.write',
  'POST /api/fs/multipart/init': LATER,
  'POST /api/fs/multipart/part': LATER,
  'PUT /api/fs/multipart/part': LATER,
  'POST /api/fs/multipart/complete': 'drive.write',
  'POST /api/fs/multipart/abort': NOTHING,
  'POST /api/fs/mkdir': 'drive.create_folder',
  'POST /api/fs/rename': 'drive.rename',
  'POST /api/fs/batch-move': 'drive.move',
  'POST /api/fs/batch-copy': 'drive.copy',
  'POST /api/fs/batch-copy-commit': 'drive.write',
  'DELETE /api/fs/batch-remove': 'drive.delete',
  'POST /api/fs/archive': NOTHING,
  'POST /api/fs/archive/ticket': NOTHING,

  'POST /api/tasks/:id/cancel': 'task.cancel',
  'POST /api/tasks/:id/retry': 'task.retry',
  'DELETE /api/tasks/:id': 'task.delete',
  'DELETE /api/tasks': 'task.delete',

  'PUT /dav': 'drive.write',
  'DELETE /dav': 'drive.delete',
  'MKCOL /dav': 'drive.create_folder',
  'COPY /dav': 'drive.copy',
  'MOVE /dav': 'drive.move',
  'LOCK /dav': 'drive.lock',
  'UNLOCK /dav': 'drive.unlock',
  'PROPPATCH /dav': 'drive.properties',
  'PROPFIND /dav': NOTHING,
  // Stores nothing on the server. The next page shows the content that another app has shared.
  'POST /share-target': NOTHING,
}

/** Reads that are logged, because they reveal a secret or export the audit log. */
const SECRET_READS: Readonly<Record<string, AuditAction>> = {
  'GET /api/admin/api-keys': 'api_key.read',
  'GET /api/admin/pastes/:id': 'text.read_password',
  'GET /api/user/pastes/:id': 'text.read_password',
  'GET /api/admin/files/:id': 'file.read_password',
  'GET /api/user/files/:id': 'file.read_password',
  'GET /api/bundles/:id/own': 'bundle.read_password',
  'GET /api/admin/audit/export': 'audit.export',
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns the audit action of a route, or `null` if the route is not logged. @throws {Error} for a changing route
 * without an action
 */
export function actionOf(method: string, url: string): AuditAction | null {
  const name = `${method} ${url.replace(/^\/dav\/\*$/, '/dav')}`
  if (READING.has(method)) return SECRET_READS[name] ?? null
  const action = CHANGING_ROUTES[name]
  if (action === undefined)
    throw new Error(`The route ${method} ${url} does not say what it is in the audit log (audit-actions.ts).`)
  return action === NOTHING || action === LATER ? null : action
}
