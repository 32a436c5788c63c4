import { Readable } from 'node:stream'
import { fileErrors, fsErrors, pasteErrors, requestErrors, type Sample } from '@dropleaf/contract'
import type { Needs, PlaceNeeds, UploadNeeds, WriteNeeds } from '../../../context.ts'
import type { Language } from '../../../messages/index.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { AdminActor } from '../../foundation/identity/actor.models.ts'
import { deleteFiles, getOwnFile } from '../../capabilities/files/own-files.usecases.ts'
import { receiveUpload } from '../../capabilities/files/uploads/receive.usecases.ts'
import { createPaste, deletePastes, getOwnPaste } from '../../capabilities/pastes/pastes.usecases.ts'
import { storeValue, readStoredValue } from '../../foundation/settings/stored-values.usecases.ts'
import { findSampleFolder, makeSampleFolder, removeSampleFolder } from './sample-folder.usecases.ts'
import { isSampleText, samplesIn, type SampleTexts } from './sample-texts/index.ts'
import { isEmpty, NO_SAMPLES, type SampleRecord, sampleRecord } from './samples.models.ts'

const LOCK = 'samples'

async function readRecord(ctx: Needs<'db'>): Promise<SampleRecord> {
  const kept = sampleRecord.safeParse(await readStoredValue(ctx, 'samples'))
  return kept.success ? kept.data : NO_SAMPLES
}

/**
 * Runs `work`, unless other work on the samples is running. @throws {AppError} `request.unavailable` while another
 * request is changing the samples
 */
async function alone<T>(ctx: Needs<'database'>, work: () => Promise<T>): Promise<T> {
  const done = await ctx.database.exclusively(LOCK, async () => ({ value: await work() }))
  if (!done) throw new AppError(requestErrors.unavailable)
  return done.value
}

export const hasSamples = async (ctx: Needs<'db'>): Promise<boolean> => !isEmpty(await readRecord(ctx))

/** Returns the result of `find`, or `undefined` if it throws a not-found error. */
async function unlessMissing<T>(find: Promise<T>): Promise<T | undefined> {
  const missing: ReadonlySet<string> = new Set([
    pasteErrors.not_found.code,
    fileErrors.not_found.code,
    fsErrors.not_found.code,
    fsErrors.no_mount.code,
  ])
  try {
    return await find
  } catch (error) {
    if (error instanceof AppError && missing.has(error.spec.code)) return undefined
    throw error
  }
}

/** Lists the samples that still exist. */
export async function listSamples(ctx: PlaceNeeds, admin: AdminActor): Promise<Sample[]> {
  const { textId, fileId, folder } = await readRecord(ctx)
  const [text, file, path] = await Promise.all([
    textId === null ? undefined : unlessMissing(getOwnPaste(ctx, admin, textId)),
    fileId === null ? undefined : unlessMissing(getOwnFile(ctx, admin, fileId)),
    folder === null ? undefined : unlessMissing(findSampleFolder(ctx, admin, folder.path)),
  ])
  return [
    ...(text ? [{ kind: 'text' as const, name: text.row.remark ?? '', at: text.row.slug }] : []),
    ...(file ? [{ kind: 'file' as const, name: file.filename, at: file.slug }] : []),
    ...(path ? [{ kind: 'folder' as const, name: path.slice(path.lastIndexOf('/') + 1), at: path }] : []),
  ]
}

interface Making {
  readonly admin: AdminActor
  readonly texts: SampleTexts
  /** Records an item before it is created. */
  readonly note: (change: Partial<SampleRecord>) => Promise<void>
}

async function makeText(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'room' | 'secrets'>,
  { admin, texts, note }: Making,
): Promise<void> {
  const id = newId()
  await note({ textId: id })
  await createPaste(ctx, admin, {
    id,
    content: texts.text,
    content_type: 'text/markdown',
    slug: null,
    remark: texts.remark,
    password: null,
    expiresAt: null,
    maxViews: null,
    opening: null,
    pin: null,
  })
}

async function makeFile(ctx: UploadNeeds, { admin, texts, note }: Making): Promise<void> {
  const bytes = Buffer.from(texts.file.content)
  const place = {
    filename: texts.file.name,
    sizeBytes: bytes.length,
    configId: null,
    folder: null,
    slug: null,
    replacesOwn: false,
    keepsName: false,
    useProxy: true,
  }
  const settings = {
    remark: texts.remark,
    password: null,
    expiresInHours: null,
    maxViews: null,
    opening: null,
    pin: null,
  }
  await receiveUpload(ctx, admin, {
    place,
    source: Readable.from([bytes]),
    requireMay: async () => undefined,
    completeOrder: () => ({ place, settings }),
    onReserved: (fileId) => note({ fileId }),
  })
}

/**
 * Creates the missing samples in a language.
 * @throws {AppError} `request.unavailable` while another request is changing the samples, and the errors of the
 * creating functions
 */
export async function makeSamples(
  ctx: WriteNeeds & Needs<'passwords' | 'room' | 'secrets'>,
  admin: AdminActor,
  language: Language,
): Promise<Sample[]> {
  await alone(ctx, async () => {
    const there = new Set((await listSamples(ctx, admin)).map(({ kind }) => kind))
    let record = await readRecord(ctx)
    const note = async (change: Partial<SampleRecord>) => {
      record = { ...record, ...change }
      await storeValue(ctx.db, 'samples', { value: record, nowMs: ctx.clock.nowMs() })
    }
    const making = { admin, texts: samplesIn(language), note }
    if (!there.has('text')) await makeText(ctx, making)
    if (!there.has('file')) await makeFile(ctx, making)
    if (!there.has('folder')) await makeSampleFolder(ctx, admin, { texts: making.texts, note })
  })
  return listSamples(ctx, admin)
}

/** @returns the samples that were not deleted because they have changed */
async function removeText(ctx: Needs<'db' | 'secrets'>, admin: AdminActor, text: Sample): Promise<Sample[]> {
  const { row } = await getOwnPaste(ctx, admin, text.at)
  if (!isSampleText(row.content)) return [text]
  await deletePastes(ctx, admin, [row.id])
  return []
}

/**
 * Deletes the sample text and the sample folder if their contents are unchanged, and the sample file in any case.
 * @returns the changed samples, which stay as an ordinary text share or folder
 * @throws {AppError} `request.unavailable` while another request is changing the samples
 */
export const removeSamples = (
  ctx: PlaceNeeds & Needs<'database' | 'log' | 'tasks'>,
  admin: AdminActor,
): Promise<Sample[]> =>
  alone(ctx, async () => {
    const { fileId, folder } = await readRecord(ctx)
    const kept: Sample[] = []
    for (const sample of await listSamples(ctx, admin)) {
      if (sample.kind === 'text') kept.push(...(await removeText(ctx, admin, sample)))
      if (sample.kind === 'folder' && folder && !(await removeSampleFolder(ctx, admin, folder)))
        kept.push(sample)
    }
    // Also deletes an uncommitted file, which is not listed as a sample.
    if (fileId !== null) await deleteFiles(ctx, {}, [fileId])
    await storeValue(ctx.db, 'samples', { value: NO_SAMPLES, nowMs: ctx.clock.nowMs() })
    return kept
  })
