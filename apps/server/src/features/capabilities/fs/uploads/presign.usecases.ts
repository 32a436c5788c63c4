import { fileErrors, fsErrors } from '@dropleaf/contract'
import type { Needs, PlaceNeeds, WriteNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import type { Actor } from '../../../foundation/identity/actor.models.ts'
import {
  type Finished,
  findLostResult,
  findParts,
  finishedBefore,
  finishSession,
  getSession,
  giveUp,
  type Session,
  signPart,
  startSession,
} from './upload-sessions.usecases.ts'
import { placeOfUpload } from '../files/writing.usecases.ts'

/** Part number of an upload by one PUT. */
const ONLY_PART = 1

/**
 * Starts an upload by one PUT to a signed URL.
 * @throws {AppError} as `placeOfUpload` and `startSession` do
 */
export async function presignFile(
  ctx: PlaceNeeds & Needs<'database' | 'unfinished'>,
  actor: Actor,
  input: { path: string; fileName: string; sizeBytes: number | null },
): Promise<{ session: Session; url: string }> {
  const place = await placeOfUpload(ctx, actor, input)
  const start = { kind: 'signed', sizeBytes: input.sizeBytes, partSizeBytes: null, partCount: 1 } as const
  const { session, maxBytes } = await startSession(ctx, actor, { place, start })
  const part = { partNumber: ONLY_PART, maxBytes: input.sizeBytes ?? maxBytes }
  return { session, url: await signPart(session, actor, part) }
}

/** Values that the client repeats, and that must match the started upload. */
export interface CommitHints {
  readonly s3Path?: string | null | undefined
  readonly s3ConfigId?: string | null | undefined
  readonly mountId?: string | null | undefined
  readonly targetPath?: string | null | undefined
}

function requireSame({ row }: Session, hints: CommitHints): void {
  const real: Readonly<Record<keyof CommitHints, string>> = {
    s3Path: row.storage_key,
    s3ConfigId: row.storage_config_id,
    mountId: row.mount_id,
    targetPath: row.path,
  }
  for (const field of Object.keys(real) as Array<keyof CommitHints>) {
    if ((hints[field] ?? real[field]) !== real[field])
      throw new AppError(fsErrors.upload_mismatch, { params: { field } })
  }
}

/**
 * Commits a file that was sent to a signed URL. A repeated call returns the same result.
 * @throws {AppError} as `getSession` and `finishSession` do; `file.not_uploaded`, `file.size_mismatch`
 */
export async function commitPresigned(
  ctx: WriteNeeds & Needs<'secrets'>,
  actor: Actor,
  { id, sizeBytes, hints }: { id: string; sizeBytes: number | null; hints: CommitHints },
): Promise<Finished> {
  const session = await getSession(ctx, actor, { id, kind: 'signed' })
  requireSame(session, hints)
  const before = finishedBefore(session)
  if (before) return before
  if (session.row.state === 'aborted') throw new AppError(fsErrors.upload_not_found)
  const parts = await findParts(session)
  if (!parts) return findLostResult(ctx, session)
  const put = parts.find(({ partNumber }) => partNumber === ONLY_PART)
  if (!put) throw new AppError(fileErrors.not_uploaded)
  if (sizeBytes !== null && sizeBytes !== put.sizeBytes) {
    // Deletes an upload that is larger than announced.
    const { size_bytes: announced } = session.row
    if (announced !== null && put.sizeBytes > announced) await giveUp(ctx, session)
    throw new AppError(fileErrors.size_mismatch, { params: { actual: put.sizeBytes, expected: sizeBytes } })
  }
  return finishSession(ctx, session, { sizeBytes: put.sizeBytes, parts: [put] })
}
