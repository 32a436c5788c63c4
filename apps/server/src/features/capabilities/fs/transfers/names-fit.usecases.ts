import { fsErrors } from '@dropleaf/contract'
import { KEY_MAX_BYTES } from '@dropleaf/storage'
import { AppError } from '../../../../lib/app-error.ts'
import { prefixOf } from '../places/places.usecases.ts'
import type { TransferStep } from './transfer-run.usecases.ts'
import { walk } from '../../../../storage/walk.ts'

const bytesOf = (text: string) => Buffer.byteLength(text)

/**
 * Checks in advance that no key of a folder would become too long at the target.
 * @throws {AppError} `fs.paths_too_long`
 */
export async function requireNamesFit(
  { source, target }: Pick<TransferStep, 'source' | 'target'>,
  signal: AbortSignal,
): Promise<void> {
  const prefix = prefixOf(source)
  const longerBytes = bytesOf(prefixOf(target)) - bytesOf(prefix)
  if (longerBytes <= 0) return
  for await (const { objects } of walk(source.driver, { prefix, signal }))
    if (objects.some(({ key }) => bytesOf(key) + longerBytes > KEY_MAX_BYTES))
      throw new AppError(fsErrors.paths_too_long)
}
