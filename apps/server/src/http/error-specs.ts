import * as contract from '@dropleaf/contract'
import { type ErrorSpec, requestErrors } from '@dropleaf/contract'
import { StorageError } from '@dropleaf/storage'
import { AppError } from '../lib/app-error.ts'
import { specOfStorageError } from './storage-errors.ts'

const SPECS = new Map<string, ErrorSpec>(
  Object.entries(contract)
    .filter(([name]) => name.endsWith('Errors'))
    .flatMap(([, specs]) => Object.values(specs as unknown as Record<string, ErrorSpec>))
    .map((spec) => [spec.code, spec]),
)

/** The failure of a code that was written down; an unknown one is internal. */
export const specOfCode = (code: string): ErrorSpec => SPECS.get(code) ?? requestErrors.internal

/** What a failure is to the caller of the API, whatever threw it. */
export function specOf(error: unknown): ErrorSpec {
  if (error instanceof AppError) return error.spec
  return error instanceof StorageError ? specOfStorageError(error) : requestErrors.internal
}
