import { webdavErrors } from '@dropleaf/contract'
import type { IncomingHttpHeaders } from 'node:http'
import type { Needs, PlaceNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { forbidsReplacing, isLater, unmodifiedSinceMs } from '../../../lib/bodies/write-conditions.ts'
import { type StorageName, nameAt } from '../../../lib/object-names.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { type IfCondition, type IfList, LOCK_SCHEME, parseIf, tokensIn } from './headers.models.ts'
import { pathOfUrl } from './hrefs.models.ts'
import type { DavLockRow } from '../../foundation/object-locks/locks.repository.ts'
import { covers, locksOn } from '../../foundation/object-locks/locks.usecases.ts'
import { clientTimeOf } from '../../foundation/object-properties/properties.usecases.ts'
import { findReadable, nameOfResource, type Resource } from './resources.usecases.ts'

/** State of a resource against which conditions are checked. */
interface State {
  readonly etag: string | null
  readonly name: StorageName | null
  readonly locks: readonly DavLockRow[]
}

const etagOf = (resource: Resource | null): string | null =>
  resource?.kind === 'file' ? resource.stat.etag : null

function holds({ isNot, kind, value }: IfCondition, state: State): boolean {
  if (kind === 'etag')
    return (state.etag !== null && value.replace(/^W\//, '') === `"${state.etag}"`) !== isNot
  const { name } = state
  const isTaken =
    name !== null && state.locks.some((lock) => value === `${LOCK_SCHEME}${lock.token}` && covers(lock, name))
  return isTaken !== isNot
}

interface Asked {
  readonly actor: Actor
  /** The request's target; `null` if it does not exist. */
  readonly resource: Resource | null
  /** Name of the request's target, even if the target does not exist. */
  readonly name: StorageName | null
}

async function stateOf(
  ctx: PlaceNeeds & Needs<'config'>,
  { actor, resource, name }: Asked,
  list: IfList,
): Promise<State> {
  const { basePath } = ctx.config
  const other =
    list.resource === null
      ? null
      : await findReadable(ctx, actor, pathOfUrl(list.resource, { header: 'If', basePath }))
  const about = list.resource === null ? { resource, name } : { resource: other, name: nameOfResource(other) }
  const locks = about.name === null ? [] : await locksOn(ctx, about.name)
  return { etag: etagOf(about.resource), name: about.name, locks }
}

/** A resource outside the drive has no state, so only negated conditions on it are true. */
const ELSEWHERE: State = { etag: null, name: null, locks: [] }

/**
 * Maximum number of resources that are checked until one list is true. Checking a resource can need a request to the
 * storage.
 */
const RESOURCES_MAX = 50

/** @throws {AppError} `webdav.header_invalid` */
async function isAnyTrue(
  ctx: PlaceNeeds & Needs<'config'>,
  asked: Asked,
  lists: readonly IfList[],
): Promise<boolean> {
  const states = new Map<string | null, State>()
  for (const list of lists) {
    if (states.size >= RESOURCES_MAX && !states.has(list.resource))
      throw new AppError(webdavErrors.header_invalid, { params: { header: 'If' } })
    const state = states.get(list.resource) ?? (await stateOrElsewhere(ctx, asked, list))
    states.set(list.resource, state)
    if (list.conditions.every((condition) => holds(condition, state))) return true
  }
  return false
}

async function stateOrElsewhere(
  ctx: PlaceNeeds & Needs<'config'>,
  asked: Asked,
  list: IfList,
): Promise<State> {
  try {
    return await stateOf(ctx, asked, list)
  } catch (error) {
    if (error instanceof AppError && error.spec.code === webdavErrors.target_elsewhere.code) return ELSEWHERE
    throw error
  }
}

/**
 * Checks a request's `If` header.
 * @returns the lock tokens that the header contains.
 * @throws {AppError} `webdav.condition_failed`, `webdav.header_invalid`
 * Source: RFC 4918, section 10.4, read 2026-11-23.
 */
export async function requireIf(
  ctx: PlaceNeeds & Needs<'config'>,
  { headers }: { readonly headers: IncomingHttpHeaders },
  asked: Asked,
): Promise<ReadonlySet<string>> {
  const header = headers.if
  if (typeof header !== 'string') return new Set()
  const lists = parseIf(header)
  if (!(await isAnyTrue(ctx, asked, lists))) throw new AppError(webdavErrors.condition_failed)
  return tokensIn(lists)
}

/**
 * Checks the conditions of a modifying request.
 * @returns the lock tokens that the request contains.
 * @throws {AppError} `webdav.condition_failed`, `webdav.header_invalid`
 */
export async function requireConditions(
  ctx: PlaceNeeds & Needs<'config'>,
  request: { readonly headers: IncomingHttpHeaders },
  asked: Asked,
): Promise<ReadonlySet<string>> {
  const { headers } = request
  const { resource } = asked
  const sinceMs = unmodifiedSinceMs(headers)
  const failed =
    forbidsReplacing(headers, resource && { etag: etagOf(resource) }) ||
    (sinceMs !== null && (await isModifiedSince(ctx, resource, sinceMs)))
  if (failed) throw new AppError(webdavErrors.condition_failed)
  return requireIf(ctx, request, asked)
}

/**
 * Whether the resource was modified after a date. Uses the displayed modification time, which a client might have set.
 */
async function isModifiedSince(
  ctx: Needs<'db'>,
  resource: Resource | null,
  sinceMs: number,
): Promise<boolean> {
  if (resource?.kind !== 'file') return false
  const name = nameAt(resource.place)
  const { etag, modifiedAtMs } = resource.stat
  return isLater((await clientTimeOf(ctx, name, etag)) ?? modifiedAtMs, sinceMs)
}
