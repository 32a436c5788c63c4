import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fsErrors } from '@dropleaf/contract'
import { type PartRef, type PartStat, StorageError } from '@dropleaf/storage'
import type { Needs, PlaceNeeds, WriteNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { relayBody } from '../../../../lib/bodies/relay-body.ts'
import { type Actor, creatorOf } from '../../../foundation/identity/actor.models.ts'
import {
  type Finished,
  findLostResult,
  findParts,
  finishedBefore,
  finishSession,
  getSession,
  giveUp,
  prolong,
  type Session,
  type SessionHints,
  signPart,
  startSession,
  storePart,
} from './upload-sessions.usecases.ts'
import { plainEtag, planUpload, sizeOfPart, spellNumbers } from './uploads.models.ts'
import { uploadsRepository } from './uploads.repository.ts'
import type { FsUploadRow } from './uploads.table.ts'
import { placeOfUpload } from '../files/writing.usecases.ts'

export interface PartUrl {
  readonly partNumber: number
  readonly url: string
}

interface Plan {
  readonly sizeBytes: number
  readonly partSizeBytes: number
  readonly partCount: number
}

export const planOf = ({ row }: Pick<Session, 'row'>): Plan => ({
  sizeBytes: row.size_bytes ?? 0,
  partSizeBytes: row.part_size_bytes ?? 0,
  partCount: row.part_count ?? 1,
})

const SIGNED_AT_ONCE = 200

async function signParts(session: Session, actor: Actor, numbers: readonly number[]): Promise<PartUrl[]> {
  const plan = planOf(session)
  const urls: PartUrl[] = []
  for (const partNumber of numbers) {
    const url = await signPart(session, actor, {
      partNumber,
      maxBytes: sizeOfPart(plan, partNumber),
    })
    urls.push({ partNumber, url })
    // Yields to the event loop, because signing thousands of URLs would block it.
    if (urls.length % SIGNED_AT_ONCE === 0) await nextTurn()
  }
  return urls
}

const allNumbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/**
 * Starts a multipart upload.
 * @throws {AppError} as `placeOfUpload` and `startSession` do
 * @throws {StorageError} `storage.too_large` if no storage can hold the file
 */
export async function startMultipart(
  ctx: PlaceNeeds & Needs<'database' | 'unfinished'>,
  actor: Actor,
  input: { path: string; fileName: string; sizeBytes: number; partSizeBytes: number | null },
): Promise<{ session: Session; urls: PartUrl[] }> {
  const place = await placeOfUpload(ctx, actor, input)
  const plan = planUpload(input.sizeBytes, input.partSizeBytes)
  const start = { kind: 'multipart', sizeBytes: input.sizeBytes, ...plan } as const
  const { session } = await startSession(ctx, actor, { place, start })
  return { session, urls: await signParts(session, actor, allNumbers(plan.partCount)) }
}

const getMultipart = (ctx: PlaceNeeds, actor: Actor, { id, hints }: { id: string; hints: SessionHints }) =>
  getSession(ctx, actor, { id, kind: 'multipart', hints })

function requireGoing({ row }: Session): void {
  if (row.state !== 'open' && row.state !== 'completing') throw new AppError(fsErrors.upload_not_found)
}

/**
 * Stores one part that is sent through the server.
 * @throws {AppError} as `getSession` does; `fs.part_number_invalid`, `fs.part_size_wrong`
 */
export async function receivePart(
  ctx: PlaceNeeds,
  actor: Actor,
  input: {
    id: string
    hints: SessionHints
    partNumber: number
    source: Readable
    sizeBytes: number | undefined
    /** Called with the path of the upload after the last byte; throws if the caller may no longer write there. */
    requireMay: (path: string) => Promise<void>
  },
): Promise<PartRef> {
  const { partNumber } = input
  const session = await getMultipart(ctx, actor, input)
  requireGoing(session)
  const plan = planOf(session)
  if (partNumber > plan.partCount)
    throw new AppError(fsErrors.part_number_invalid, { params: { last: plan.partCount } })
  const expected = sizeOfPart(plan, partNumber)
  const wrongSize = (cause?: unknown) =>
    new AppError(fsErrors.part_size_wrong, { params: { part: partNumber, expected }, cause })
  if (input.sizeBytes !== undefined && input.sizeBytes !== expected) throw wrongSize()
  const body = relayBody(input.source, { beforeEnd: () => input.requireMay(session.place.path) })
  await prolong(ctx, session)
  try {
    return await storePart(session, { partNumber, body, sizeBytes: expected })
  } catch (error) {
    const isWrong = error instanceof StorageError && error.code === 'storage.too_large'
    throw isWrong ? wrongSize(error) : error
  }
}

export interface UploadProgress {
  readonly plan: Plan
  readonly parts: readonly PartStat[]
  readonly urls: readonly PartUrl[]
  readonly isCompleted: boolean
  readonly expiresAtMs: number
}

/** Returns whether a received part matches the plan. */
const isFit = (plan: Plan, part: PartStat): boolean =>
  part.partNumber <= plan.partCount && part.sizeBytes === sizeOfPart(plan, part.partNumber)

/**
 * Returns the received parts, and new URLs for the missing parts.
 * @throws {AppError} as `getSession` does
 */
export async function readProgress(
  ctx: WriteNeeds & Needs<'secrets'>,
  actor: Actor,
  input: { id: string; hints: SessionHints },
): Promise<UploadProgress> {
  const session = await getMultipart(ctx, actor, input)
  const plan = planOf(session)
  if (finishedBefore(session))
    return { plan, parts: [], urls: [], isCompleted: true, expiresAtMs: session.row.expires_at_ms }
  requireGoing(session)
  const found = await findParts(session)
  if (!found) {
    const { row } = await findLostResult(ctx, session)
    return { plan, parts: [], urls: [], isCompleted: true, expiresAtMs: row.expires_at_ms }
  }
  const parts = found.filter((part) => isFit(plan, part))
  const arrived = new Set(parts.map((part) => part.partNumber))
  const missing = allNumbers(plan.partCount).filter((number) => !arrived.has(number))
  const expiresAtMs = await prolong(ctx, session)
  return { plan, parts, urls: await signParts(session, actor, missing), isCompleted: false, expiresAtMs }
}

/** Lists the caller's open multipart uploads. */
export const listUploads = (
  ctx: Needs<'clock' | 'db'>,
  actor: Actor,
  page: { limit: number; offset: number },
): Promise<FsUploadRow[]> =>
  uploadsRepository(ctx.db).listOpen(creatorOf(actor), { ...page, nowMs: ctx.clock.nowMs() })

const missingParts = (numbers: readonly number[]) =>
  new AppError(fsErrors.parts_missing, {
    params: { parts: spellNumbers(numbers) },
    details: numbers.slice(0, 100).map((number) => ({ path: `parts.${number}`, message: 'missing' })),
  })

/**
 * Returns the parts to join: each part of the plan once.
 * @param named parts named by the client; empty means all received parts.
 * @throws {AppError} `fs.parts_missing` with the missing or different parts; `fs.part_size_wrong`
 */
function requireParts(plan: Plan, arrived: readonly PartStat[], named: readonly PartRef[]): PartRef[] {
  const byNumber = new Map(arrived.map((part) => [part.partNumber, part]))
  const tags = new Map(named.map((part) => [part.partNumber, plainEtag(part.etag)]))
  const isThere = (number: number) => {
    const part = byNumber.get(number)
    return part !== undefined && (named.length === 0 || tags.get(number) === part.etag)
  }
  const numbers = allNumbers(plan.partCount)
  const missing = numbers.filter((number) => !isThere(number))
  const surplus = [...tags.keys()].filter((number) => number > plan.partCount)
  if (missing.length > 0 || surplus.length > 0)
    throw missingParts([...missing, ...surplus.toSorted((a, b) => a - b)])
  return numbers.map((partNumber) => {
    const part = byNumber.get(partNumber)
    const expected = sizeOfPart(plan, partNumber)
    if (part?.sizeBytes !== expected)
      throw new AppError(fsErrors.part_size_wrong, { params: { part: partNumber, expected } })
    return { partNumber, etag: part.etag }
  })
}

/**
 * Joins the parts into the file. A repeated call returns the same result, even after a lost response or a crash.
 * @throws {AppError} as `getSession` and `finishSession` do; `fs.parts_missing`, `fs.part_size_wrong`
 */
export async function completeMultipart(
  ctx: WriteNeeds & Needs<'secrets'>,
  actor: Actor,
  input: { id: string; hints: SessionHints; sizeBytes: number | null; parts: readonly PartRef[] },
): Promise<Finished> {
  const session = await getMultipart(ctx, actor, input)
  const plan = planOf(session)
  if (input.sizeBytes !== null && input.sizeBytes !== plan.sizeBytes)
    throw new AppError(fsErrors.upload_mismatch, { params: { field: 'fileSize' } })
  const before = finishedBefore(session)
  if (before) return before
  requireGoing(session)
  const arrived = await findParts(session)
  if (!arrived) return findLostResult(ctx, session)
  let parts: PartRef[]
  try {
    parts = requireParts(plan, arrived, input.parts)
  } catch (error) {
    // Looks up the upload again, because another request might have joined or deleted the parts meanwhile.
    const now = await getMultipart(ctx, actor, input)
    const done = finishedBefore(now)
    if (done) return done
    requireGoing(now)
    throw error
  }
  return finishSession(ctx, session, { sizeBytes: plan.sizeBytes, parts })
}

/**
 * Aborts a multipart upload or an upload by a single PUT. Does nothing if the upload has ended.
 * @throws {AppError} as `getSession` does
 */
export async function abortMultipart(
  ctx: PlaceNeeds,
  actor: Actor,
  input: { id: string; hints: SessionHints },
): Promise<void> {
  const session = await getSession(ctx, actor, { ...input, kind: 'any' })
  if (session.row.state === 'open' || session.row.state === 'completing') await giveUp(ctx, session)
}
