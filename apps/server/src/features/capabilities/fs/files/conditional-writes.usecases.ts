import { fsErrors, requestErrors } from '@dropleaf/contract'
import type { ObjectStat } from '@dropleaf/storage'
import type { Needs, WriteNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import {
  type ConditionHeaders,
  forbidsReplacing,
  hasConditionHeaders,
  isLater,
  unmodifiedSinceMs,
} from '../../../../lib/bodies/write-conditions.ts'
import { nameAt } from '../../../../lib/object-names.ts'
import { clientTimeOf } from '../../../foundation/object-properties/properties.usecases.ts'
import { inFsTerms } from '../fs-terms.models.ts'
import { fileKeyOf, type Place } from '../places/places.usecases.ts'
import { type FileWrite, writeFile, type WriteConditions, type WrittenFile } from './writing.usecases.ts'

/**
 * Whether the file is newer than the time in the headers. Uses the displayed modification time, which a client might
 * have set.
 */
async function isModified(
  ctx: Needs<'db'>,
  place: Place,
  { stat, headers }: { stat: ObjectStat | null; headers: ConditionHeaders },
): Promise<boolean> {
  const sinceMs = unmodifiedSinceMs(headers)
  if (sinceMs === null || stat === null) return false
  return isLater((await clientTimeOf(ctx, nameAt(place), stat.etag)) ?? stat.modifiedAtMs, sinceMs)
}

/** Checks the conditional headers, and returns write conditions that fail if the file changes after this check. */
async function checkedConditions(
  ctx: Needs<'db'>,
  place: Place<'write'>,
  headers: ConditionHeaders,
): Promise<WriteConditions> {
  const { driver } = place
  const key = fileKeyOf(place)
  const seen = await inFsTerms(() => driver.stat(key))
  if (forbidsReplacing(headers, seen) || (await isModified(ctx, place, { stat: seen, headers })))
    throw new AppError(requestErrors.condition_failed)
  // A storage without conditional writes cannot check the version, so the server checks it.
  const check = async () => {
    const there = await driver.stat(key)
    if (there?.etag !== seen?.etag) throw new AppError(requestErrors.condition_failed)
  }
  return {
    ...(seen === null ? { ifAbsent: true } : { ifMatch: seen.etag }),
    check: driver.capabilities.conditionalWrite ? undefined : check,
  }
}

/**
 * Writes a file if the conditional headers of the request allow the write. Checks the headers before the body arrives
 * and again at the end.
 * @throws {AppError} `request.condition_failed`; the errors of {@link writeFile}
 */
export async function writeFileIf(
  ctx: WriteNeeds & Needs<'secrets'>,
  place: Place<'write'>,
  { headers, write }: { headers: ConditionHeaders; write: Omit<FileWrite, 'conditions'> },
): Promise<WrittenFile> {
  if (!hasConditionHeaders(headers)) return writeFile(ctx, place, write)
  const conditions = await checkedConditions(ctx, place, headers)
  try {
    return await writeFile(ctx, place, { ...write, conditions })
  } catch (error) {
    const code = error instanceof AppError ? error.spec.code : null
    const isOther = code === fsErrors.changed.code || (conditions.ifAbsent && code === fsErrors.exists.code)
    throw isOther ? new AppError(requestErrors.condition_failed, { cause: error }) : error
  }
}
