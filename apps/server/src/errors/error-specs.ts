import * as contract from '@dropleaf/contract'
import { type ErrorSpec, requestErrors, storageErrors } from '@dropleaf/contract'
import { StorageError } from '@dropleaf/storage'
import { databaseTrouble } from '../db/database.ts'
import { AppError, firstOf } from '../lib/app-error.ts'
import { specOfStorageError } from './storage-errors.ts'

const SPECS = new Map<string, ErrorSpec>(
  Object.entries(contract)
    .filter(([name]) => name.endsWith('Errors'))
    .flatMap(([, specs]) => Object.values(specs as unknown as Record<string, ErrorSpec>))
    .map((spec) => [spec.code, spec]),
)

/** Returns the error for a stored code, or `request.internal` for an unknown code. */
export const specOfCode = (code: string): ErrorSpec => SPECS.get(code) ?? requestErrors.internal

/** Returns the API error for anything that was thrown. */
export function specOf(thrown: unknown): ErrorSpec {
  const error = firstOf(thrown)
  if (error instanceof AppError) return error.spec
  if (error instanceof StorageError) return specOfStorageError(error)
  const trouble = databaseTrouble(error)
  if (trouble === null) return requestErrors.internal
  return trouble === 'full' ? storageErrors.disk_full : requestErrors.unavailable
}
