import { fsErrors, requestErrors, webdavErrors } from '@dropleaf/contract'
import type { FastifyReply } from 'fastify'
import type { Needs } from '../../../context.ts'
import { languageOf, messageFor } from '../../../messages/index.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type StorageName, isBelowKey, nameAt, namesAround } from '../../../lib/object-names.ts'
import {
  areHeld,
  openLeases,
  settleBelow,
  stayHeld,
  takeForWrite,
} from '../../capabilities/fs/leases/key-leases.usecases.ts'
import { requireNoMountIn } from '../../capabilities/fs/places/mounts-inside.usecases.ts'
import { findPlace, getPlace, type Place } from '../../capabilities/fs/places/places.usecases.ts'
import { parseLockInfo } from './bodies.models.ts'
import { requireConditions } from './conditions.usecases.ts'
import { depthRefused, LOCK_SCHEME, parseDepth, parseLockToken, parseTimeout } from './headers.models.ts'
import { driveRootOf, hrefOf } from './hrefs.models.ts'
import type { DavLockRow } from '../../foundation/object-locks/locks.repository.ts'
import {
  endLock,
  isLockAlive,
  refreshLocks,
  releaseLock,
  requireUnlocked,
  takeLock,
} from '../../foundation/object-locks/locks.usecases.ts'
import { hrefOfLock } from './shown-locks.usecases.ts'
import {
  activeLock,
  errorBody,
  failedResponse,
  MULTISTATUS_END,
  MULTISTATUS_START,
  response,
  statusLine,
  XML_HEAD,
  XML_TYPE,
} from './multistatus.models.ts'
import { placeForFile, requireParent } from './put-target.usecases.ts'
import { putEmpty } from './putting.usecases.ts'
import { findResource, isFolder, nameOfResource, type Resource } from './resources.usecases.ts'
import { type DavCall, headerOf, readXml } from './webdav-requests.http.ts'
import { escapeText } from './xml.models.ts'

const FAILED_DEPENDENCY = 424

interface Locked {
  readonly place: Place
  readonly resource: Resource | null
}

const hrefsOf = (ctx: Needs<'config'>, { place, resource }: Locked, locks: readonly DavLockRow[]): string[] =>
  locks.map((lock) =>
    hrefOfLock(ctx, { place, name: nameAt(place), isFolder: resource !== null && isFolder(resource) }, lock),
  )

function answerLocks({ ctx, reply }: DavCall, locks: readonly DavLockRow[], locked: Locked) {
  const nowMs = ctx.clock.nowMs()
  const hrefs = hrefsOf(ctx, locked, locks)
  const active = locks.map((lock, at) => activeLock(lock, hrefs[at] ?? '', { nowMs })).join('')
  return reply
    .type(XML_TYPE)
    .send(`${XML_HEAD}<D:prop xmlns:D="DAV:"><D:lockdiscovery>${active}</D:lockdiscovery></D:prop>\n`)
}

/** Takes or refreshes a lock. If the name is free, creates an empty file to reserve it. */
export async function lock(call: DavCall): Promise<FastifyReply> {
  const { ctx, actor, request, reply, path } = call
  const depthWish = { method: 'LOCK', allowed: [0, 'infinity'] } as const
  const depth = parseDepth(headerOf(request, 'depth'), depthWish)
  if (depth === 1) throw depthRefused(depth, depthWish)
  const text = await readXml(call)
  const timeoutSeconds = parseTimeout(headerOf(request, 'timeout'))
  const place = await getPlace(ctx, actor, path, 'write')
  const name = nameAt(place)
  if (text === '') {
    // A refresh must name the lock's token in an `If` header.
    // Source: RFC 4918, section 9.10.2, read 2026-11-23.
    if (headerOf(request, 'if') === undefined)
      throw new AppError(webdavErrors.header_invalid, { params: { header: 'If' } })
    const resource = await findResource(ctx, actor, path)
    const tokens = await requireConditions(ctx, request, { actor, resource, name })
    const locks = await refreshLocks(ctx, actor, { name, tokens, timeoutSeconds })
    return answerLocks(call, locks, { place, resource })
  }
  const query = parseLockInfo(text)
  await requireFoldersFree(ctx, name)
  await using holds = openLeases(ctx)
  // While this lease is held, deletions, replacements and moves of the resource wait, and then check the lock.
  await takeForWrite(holds, nameAt(place))
  const resource = await findResource(ctx, actor, path)
  if (resource?.kind === 'virtual') throw new AppError(fsErrors.not_operable)
  const tokens = await requireConditions(ctx, request, { actor, resource, name })
  if (!resource) {
    await placeForFile(ctx, actor, path)
    await requireParent(ctx, place)
    const change = { place, isTree: false, isMembership: true }
    await requireUnlocked(ctx, actor, { change, tokens })
  }
  const isDeep = depth === 'infinity'
  // A mount inside the folder has its content in another storage, where the lock would not apply.
  if (isDeep && resource && isFolder(resource)) await requireNoMountIn(ctx, place)
  const taken = await takeLock(ctx, actor, { ...query, name, isDeep, timeoutSeconds })
  // Releases the lease, because the lock now protects the resource. Creating the empty file takes the lease again, as
  // any write does.
  await holds.releaseAll()
  if ('conflicts' in taken) return answerConflicts(call, taken.conflicts, { place, resource })
  await requireFoldersStill(ctx, taken.lock)
  if (resource && isFolder(resource)) await requireMembersStill(ctx, taken.lock)
  if (!resource) await createEmptyFile(call, { place, lock: taken.lock })
  reply.code(resource ? 200 : 201).header('lock-token', `<${LOCK_SCHEME}${taken.lock.token}>`)
  return answerLocks(call, [taken.lock], { place, resource })
}

/**
 * Waits until no copy, move or deletion of a parent folder runs. Such an operation might already have checked the
 * locks, and would miss a new lock.
 * @throws {AppError} `request.unavailable` if such an operation runs for a long time
 */
async function requireFoldersFree(
  ctx: Needs<'clock' | 'state'>,
  { configId, key }: StorageName,
): Promise<void> {
  if (await stayHeld(ctx, configId, namesAround(key))) throw new AppError(requestErrors.unavailable)
}

/**
 * Checks the parent folders again after the lock is stored, because an operation on one of them may have started since
 * the first check. Waits until that operation ends. Refuses the lock if the operation does not end in time, or has
 * removed the lock.
 */
async function requireFoldersStill(ctx: Needs<'clock' | 'db' | 'state'>, taken: DavLockRow): Promise<void> {
  const { storage_config_id: configId, storage_key: key, token } = taken
  if (!(await areHeld(ctx, configId, namesAround(key)))) return
  const isHeld = await stayHeld(ctx, configId, namesAround(key))
  if (!isHeld && (await isLockAlive(ctx, token))) return
  await endLock(ctx, token)
  throw new AppError(requestErrors.unavailable)
}

/**
 * Waits for running writes in the locked folder, which might have checked the locks before this lock existed.
 * @throws {AppError} `request.unavailable` if a write takes a long time
 */
async function requireMembersStill(ctx: Needs<'clock' | 'db' | 'state'>, taken: DavLockRow): Promise<void> {
  const { storage_config_id: configId, storage_key: key, token } = taken
  if (await settleBelow(ctx, { configId, key })) return
  await endLock(ctx, token)
  throw new AppError(requestErrors.unavailable)
}

/** Creates the empty file. Releases the lock if the creation fails. */
async function createEmptyFile(
  { ctx, actor }: DavCall,
  { place, lock }: { place: Place<'write'>; lock: DavLockRow },
): Promise<void> {
  try {
    await putEmpty(ctx, place)
  } catch (error) {
    await releaseLock(ctx, actor, { name: nameAt(place), token: lock.token })
    throw error
  }
}

/**
 * Answers with the locks that conflict with a new lock. Locks of members can prevent a lock on the folder. Such
 * conflicts are reported per member.
 * Source: RFC 4918, sections 9.10.3, 9.10.6 and 9.10.9, read 2026-11-23.
 */
function answerConflicts(call: DavCall, conflicts: readonly DavLockRow[], locked: Locked): FastifyReply {
  const { ctx, request, reply } = call
  reply.type(XML_TYPE)
  const { rest } = locked.place
  const isAt = ({ storage_key: key }: DavLockRow) => !isBelowKey(key, rest)
  // Removes duplicates, because a resource can have several shared locks.
  const hrefs = [...new Set(hrefsOf(ctx, locked, conflicts))]
  if (conflicts.some(isAt)) {
    const names = hrefs.map((href) => `<D:href>${escapeText(href)}</D:href>`).join('')
    const condition = `<D:no-conflicting-lock>${names}</D:no-conflicting-lock>`
    return reply.code(423).send(errorBody(condition, 'It is locked already.'))
  }
  const message = messageFor(webdavErrors.locked.code, languageOf(request.headers['accept-language']))
  const members = hrefs.map((href) => failedResponse(href, webdavErrors.locked.status, message))
  const own = hrefOf(driveRootOf(ctx.config), locked.place.path, { isFolder: true })
  const whole = response(own, statusLine(FAILED_DEPENDENCY))
  return reply.code(207).send(MULTISTATUS_START + members.join('') + whole + MULTISTATUS_END)
}

export async function unlock(call: DavCall): Promise<FastifyReply> {
  const { ctx, actor, request, reply, path } = call
  const token = parseLockToken(headerOf(request, 'lock-token'))
  const place = await findPlace(ctx, actor, path, 'write')
  if (!place) throw new AppError(requestErrors.not_found)
  const resource = await findResource(ctx, actor, path)
  const name = nameOfResource(resource) ?? nameAt(place)
  await requireConditions(ctx, request, { actor, resource, name })
  await releaseLock(ctx, actor, { name, token })
  return reply.code(204).send()
}
