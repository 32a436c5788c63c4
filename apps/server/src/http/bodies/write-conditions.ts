import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import {
  type ConditionHeaders,
  forbidsReplacing,
  hasConditionHeaders,
} from '../../lib/bodies/write-conditions.ts'

/**
 * How routes that store a body treat `If-Match`, `If-None-Match` and `If-Unmodified-Since`. `new` routes replace
 * nothing, so only conditions on an existing version fail. `refused` routes cannot check conditions, so every condition
 * fails.
 */
export type ConditionPolicy = 'new' | 'refused'

/** @throws {AppError} `request.condition_failed`, because ignoring a condition could overwrite data */
export function requireNoFailed(headers: ConditionHeaders, policy: ConditionPolicy): void {
  const isFailed = policy === 'new' ? forbidsReplacing(headers, null) : hasConditionHeaders(headers)
  if (isFailed) throw new AppError(requestErrors.condition_failed)
}

/** Applies a policy to all routes of a scope that are registered later, except routes that only read. */
export function applyConditionPolicy(scope: FastifyInstance, policy: ConditionPolicy): void {
  scope.addHook('preHandler', async ({ method, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') requireNoFailed(headers, policy)
  })
}
