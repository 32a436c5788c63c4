import type { Readable } from 'node:stream'
import { authErrors, type ParsedOf, urlErrors, type urlRoutes } from '@dropleaf/contract'
import { StorageError } from '@dropleaf/storage'
import type { Needs, PlaceNeeds, WriteNeeds } from '../../../context.ts'
import type { RunningTask, TaskHandler } from '../../../jobs/running-task.ts'
import type { TaskRow } from '../../../jobs/tasks.table.ts'
import { filePagePath } from '../../../lib/urls.ts'
import { AppError } from '../../../lib/app-error.ts'
import { relayBody } from '../../../lib/bodies/relay-body.ts'
import { parseAddress } from '../../../outbound/fetcher.ts'
import { type Actor, creatorOf, opens } from '../../foundation/identity/actor.models.ts'
import { openingOf } from '../../foundation/share-opening/share-opening.models.ts'
import { requireTaskRight } from '../../foundation/identity/task-rights.usecases.ts'
import { requireOpenShares } from '../../foundation/settings/settings.usecases.ts'
import { dropIfPending } from '../files/uploads/pending-uploads.usecases.ts'
import { receiveUpload, requireSameBase } from '../files/uploads/receive.usecases.ts'
import { takesOwnSlug, shareSettingsOf } from '../files/uploads/uploads.usecases.ts'
import { requireAccess } from '../fs/places/access.models.ts'
import { getPlace } from '../fs/places/places.usecases.ts'
import { placeOfUpload, writeFile } from '../fs/files/writing.usecases.ts'
import { requireUploadConfig } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { nameOfSource, plainType } from './source.models.ts'
import { openSource } from './sources.usecases.ts'

type ImportBody = ParsedOf<typeof urlRoutes.import, 'body'>

const TOTAL_TIMEOUT_MS = 12 * 3_600_000

/**
 * Payload of the task, with encrypted password and PIN. Tasks created by an earlier version have neither `opening` nor
 * a PIN.
 */
interface ImportPayload extends Omit<ImportBody, 'password' | 'pin' | 'opening'> {
  readonly sealed: string | null
  readonly opening?: ImportBody['opening']
  readonly sealed_pin?: string | null
}

/** Context for the encryption of the password and the PIN. */
export const IMPORT_SEAL_CONTEXT = 'url-import'

/**
 * Starts a server task that imports a URL.
 * @throws {AppError} `url.invalid`, `share.pin_needs_ask`; `auth.forbidden` without the permission for files or mounts,
 * depending on the target; `share.must_be_sealed` if the import would create a share; as `getPlace`,
 * `requireUploadConfig` and `takesOwnSlug`, to report errors before the task starts
 */
export async function startImport(
  ctx: PlaceNeeds & Needs<'database' | 'tasks'>,
  actor: Actor,
  body: ImportBody,
): Promise<TaskRow> {
  parseAddress(body.url)
  openingOf(body)
  const target = body.target_path ?? null
  if (!opens(actor, target === null ? 'file' : 'mount')) throw new AppError(authErrors.forbidden)
  if (target === null) {
    await requireOpenShares(ctx)
    await requireUploadConfig(ctx, actor, body.s3_config_id)
    await takesOwnSlug(ctx, creatorOf(actor), { slug: body.slug, replacesOwn: false })
  } else {
    await getPlace(ctx, actor, target, 'write')
  }
  const { password, pin, ...rest } = body
  const sealed = (text: string | null) => (text === null ? null : ctx.secrets.seal(text, IMPORT_SEAL_CONTEXT))
  const payload: ImportPayload = {
    ...rest,
    sealed: sealed(password),
    sealed_pin: sealed(pin),
  }
  return ctx.tasks.add({ type: 'url_import', owner: creatorOf(actor), payload })
}

/** Executes tasks of the type `url_import`. Streams from the source to the storage, without a temporary copy. */
export const importHandler =
  (ctx: WriteNeeds & Needs<'fetcher' | 'passwords' | 'secrets'>): TaskHandler =>
  async (task) => {
    const payload = task.payload as ImportPayload
    const { target_path } = payload
    const actor = await requireTaskRight(ctx, task, target_path ? 'mount' : 'file', (now, before) => {
      if (target_path) requireAccess(now, target_path, 'write')
      else requireSameBase(before, now)
    })
    // The policy can have changed since the task was accepted. A refused task must not open the source.
    if (!target_path) await requireOpenShares(ctx)
    const begun = (task.checkpoint as { fileId?: string } | null)?.fileId
    if (begun !== undefined) await dropIfPending(ctx, begun)
    task.progress.totalItems = 1
    const signal = AbortSignal.any([task.signal, AbortSignal.timeout(TOTAL_TIMEOUT_MS)])
    const { answer, body, sizeBytes } = await openSource(ctx, payload.url, signal)
    task.progress.totalBytes = sizeBytes
    task.progress.current = payload.url
    const disposition = answer.headers['content-disposition']
    const type = plainType(answer.headers['content-type'])
    const source: ImportSource = {
      filename: payload.filename ?? nameOfSource(answer.url, { disposition, type }),
      sizeBytes,
      body: counted(task, body, signal),
    }
    try {
      await (payload.target_path ? storeInMount : storeAsShare)({ ctx, task, actor, payload, source, signal })
    } catch (error) {
      if (task.signal.aborted) throw error
      if (signal.aborted) throw new AppError(urlErrors.timeout, { cause: error })
      // An incomplete body is the source's fault, because the bytes come only from the source.
      const isBroken = error instanceof StorageError && error.code === 'storage.incomplete'
      throw isBroken ? new AppError(urlErrors.broken_off, { cause: error }) : error
    } finally {
      body.destroy()
    }
    task.progress.doneItems = 1
  }

interface ImportSource {
  readonly filename: string
  readonly sizeBytes: number | null
  readonly body: Readable
}

function counted(task: RunningTask, source: Readable, signal: AbortSignal): Readable {
  const body = relayBody(source, { look: (chunk) => void (task.progress.doneBytes += chunk.length) })
  const stop = () => body.destroy(new Error('The import was stopped.'))
  signal.addEventListener('abort', stop, { once: true })
  body.once('close', () => signal.removeEventListener('abort', stop))
  return body
}

interface Storing {
  readonly ctx: WriteNeeds & Needs<'passwords' | 'secrets'>
  readonly task: RunningTask
  readonly actor: Actor
  readonly payload: ImportPayload
  readonly source: ImportSource
  readonly signal: AbortSignal
}

async function storeInMount({ ctx, task, actor, payload, source, signal }: Storing): Promise<void> {
  const place = await placeOfUpload(ctx, actor, {
    path: payload.target_path ?? '',
    fileName: source.filename,
  })
  const { stat } = await writeFile(ctx, place, {
    source: source.body,
    authorize: () => task.requireStill(),
    sizeBytes: source.sizeBytes ?? undefined,
    conditions: { ifAbsent: true },
    hints: { hashes: false },
    signal,
  })
  task.setResult({ path: place.path, size: stat.sizeBytes, etag: stat.etag })
}

async function storeAsShare({ ctx, task, actor, payload, source }: Storing): Promise<void> {
  const opened = (sealed: string | null) =>
    sealed === null ? null : ctx.secrets.open(sealed, IMPORT_SEAL_CONTEXT)
  const remark = payload.remark ?? `From ${new URL(payload.url).hostname}`
  const order = {
    place: {
      filename: source.filename,
      configId: payload.s3_config_id,
      folder: payload.path,
      slug: payload.slug,
      sizeBytes: source.sizeBytes,
      replacesOwn: false,
      keepsName: false,
      useProxy: true,
    },
    settings: shareSettingsOf({
      remark,
      password: opened(payload.sealed),
      expires_in: payload.expires_in,
      max_views: payload.max_views,
      opening: payload.opening ?? null,
      pin: opened(payload.sealed_pin ?? null),
    }),
  }
  const row = await receiveUpload(ctx, actor, {
    place: order.place,
    source: source.body,
    requireMay: () => task.requireStill(),
    completeOrder: () => order,
    onReserved: (fileId) => task.saveCheckpoint({ fileId }),
  })
  task.setResult({
    file_id: row.id,
    slug: row.slug,
    url: filePagePath(ctx.config, row.slug),
    filename: row.filename,
    size: row.size_bytes,
  })
}
