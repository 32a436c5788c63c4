import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fsErrors, webdavErrors } from '@dropleaf/contract'
import type { FastifyReply } from 'fastify'
import { acceptedEncoding, encoderFor, withAcceptEncoding } from '../../../http/bodies/compression.ts'
import type { Needs } from '../../../context.ts'
import { sendFileBytes } from '../../../http/bodies/send-file.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { type StorageName, nameAt, nameOf } from '../../../lib/object-names.ts'
import { type KeyLeases, openLeases, takeForWrite } from '../../capabilities/fs/leases/key-leases.usecases.ts'
import type { ObjectStat } from '@dropleaf/storage'
import { makeFolder } from '../../capabilities/fs/files/folders.usecases.ts'
import { getPlace, type Place } from '../../capabilities/fs/places/places.usecases.ts'
import { getEntry, getFile } from '../../capabilities/fs/files/reading.usecases.ts'
import { requireStillWrites } from '../../capabilities/fs/places/request-access.http.ts'
import { parsePropertyUpdate, parsePropertyQuery, type ReadPropertyChange } from './bodies.models.ts'
import { requireConditions, requireIf } from './conditions.usecases.ts'
import { depthRefused, parseDepth, parseOverwrite } from './headers.models.ts'
import { driveRootOf, hrefOf, pathOfUrl } from './hrefs.models.ts'
import { isProtected, WIN32_TIME } from './live-properties.models.ts'
import { type Change, requireUnlocked } from '../../foundation/object-locks/locks.usecases.ts'
import {
  MULTISTATUS_END,
  MULTISTATUS_START,
  propstat,
  response,
  writeNames,
  XML_TYPE,
  DAV_CLASSES,
} from './multistatus.models.ts'
import {
  changeProperties,
  forgetTime,
  readClientProperties,
  setClientTime,
  clientTimeOf,
} from '../../foundation/object-properties/properties.usecases.ts'
import { findProperties } from './propfind.usecases.ts'
import { findReplaced, placeForFile } from './put-target.usecases.ts'
import { putFile } from './putting.usecases.ts'
import {
  findResource,
  hrefOfResource,
  isFolder,
  nameOfResource,
  type Resource,
} from './resources.usecases.ts'
import { removeResource, resolveTarget, transfer } from './transferring.usecases.ts'
import { ALLOW_THERE, answerFailures } from './webdav-answers.http.ts'
import { textOf } from './xml.models.ts'
import { requireUploadSize } from '../../foundation/settings/settings.usecases.ts'
import {
  awaitsInvitation,
  countedBody,
  type DavCall,
  hasBody,
  hasConditions,
  headerOf,
  inviteBody,
  parseTime,
  readXml,
  sizeOf,
} from './webdav-requests.http.ts'

/**
 * Checks the conditions and locks of a request.
 * @returns the lock tokens that the request contains.
 * @throws {AppError} `webdav.condition_failed`, `webdav.header_invalid`, `webdav.locked`
 */
async function requireMay(
  { ctx, actor, request }: DavCall,
  { resource, change }: { resource: Resource | null; change: Change },
): Promise<ReadonlySet<string>> {
  const tokens = await requireConditions(ctx, request, { actor, resource, name: nameAt(change.place) })
  await requireUnlocked(ctx, actor, { change, tokens })
  return tokens
}

/**
 * Leases a file's key as a write does, so that the state and the locks of the file do not change.
 * @param found the entry before the lease.
 * @returns the current entry.
 * @throws {AppError} `request.unavailable` if another operation holds the lease for a long time; `fs.changed` if the
 * file is a folder now; the errors of `getEntry`
 */
async function getHeldEntry(
  { ctx, actor, path }: DavCall,
  { holds, place, found }: { holds: KeyLeases; place: Place; found: Resource },
): Promise<Resource> {
  if (isFolder(found)) return found
  await takeForWrite(holds, nameAt(place))
  const now = await getEntry(ctx, actor, path)
  if (isFolder(now)) throw new AppError(fsErrors.changed)
  return now
}

/** Checks the `If` header of a method that changes nothing. @throws {AppError} as `requireIf` */
async function requireIfAt({ ctx, actor, request }: DavCall, resource: Resource): Promise<void> {
  await requireIf(ctx, request, { actor, resource, name: nameOfResource(resource) })
}

export async function propfind(call: DavCall): Promise<FastifyReply> {
  const { ctx, actor, request, reply, path } = call
  const depth = parseDepth(headerOf(request, 'depth'), { method: 'PROPFIND', allowed: [0, 1] })
  const query = parsePropertyQuery(await readXml(call, 'question'))
  if ('if' in request.headers) await requireIfAt(call, await getEntry(ctx, actor, path))
  const pieces = await findProperties(ctx, actor, { path, depth, query })
  reply.code(207).type(XML_TYPE).headers({ dav: DAV_CLASSES, 'cache-control': 'no-store' })
  reply.header('vary', withAcceptEncoding(reply.getHeader('vary')))
  const encoding = depth === 0 ? 'identity' : acceptedEncoding(request.headers['accept-encoding'])
  const source = Readable.from(pieces, { objectMode: false })
  const encoder = encoderFor(encoding)
  if (encoder === null) return reply.send(source)
  // Ignores an error of the source here. The error destroys the encoder, so the reader of the encoder receives the
  // error.
  pipeline(source, encoder).catch(() => undefined)
  return reply.header('content-encoding', encoding).send(encoder)
}

/** Sends a file. For a folder, redirects browsers to the folder's page, and sends other clients an empty response. */
export async function get(call: DavCall): Promise<FastifyReply> {
  const { ctx, actor, request, reply, path } = call
  const entry = await getEntry(ctx, actor, path)
  await requireIfAt(call, entry)
  if (entry.kind !== 'file') {
    const shown = entry.kind === 'virtual' ? entry.path : entry.place.path
    if (request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? ''))
      return reply.redirect(hrefOf(`${ctx.config.basePath}/mount-explorer`, shown, { isFolder: false }), 302)
    return reply.type('text/plain; charset=utf-8').send('')
  }
  const { place, key, stat } = await getFile(ctx, actor, path)
  const clientTimeMs = await clientTimeOf(ctx, nameAt(place), stat.etag)
  const isTimeSetByClient = clientTimeMs !== undefined
  return sendFileBytes(request, reply, {
    name: nameOf(key),
    stat: { ...stat, modifiedAtMs: clientTimeMs ?? stat.modifiedAtMs, isTimeSetByClient },
    isSaved: false,
    open: (range) => place.driver.read(key, { range, sizeBytes: stat.sizeBytes }),
  })
}

/** Stores a file completely or not at all. */
export async function put(call: DavCall): Promise<FastifyReply> {
  const { ctx, actor, request, reply, path } = call
  if (headerOf(request, 'content-range') !== undefined) throw new AppError(webdavErrors.part_refused)
  const place = await placeForFile(ctx, actor, path)
  const isConditional = hasConditions(request)
  const resource = await findReplaced(ctx, actor, { place, isConditional })
  const change = { place, isTree: false, isMembership: resource === null }
  const tokens = await requireMay(call, { resource, change })
  const size = sizeOf(request)
  const isLoose = size?.isFramed === false
  if (isLoose || awaitsInvitation(request.raw)) await requireUploadSize(ctx, size?.bytes ?? 0)
  inviteBody(call)
  using counted = isLoose ? countedBody(request.raw, size.bytes) : null
  const modifiedAtMs = parseTime(headerOf(request, 'x-oc-mtime'))
  const stat = await putFile(ctx, {
    place,
    source: counted?.source ?? request.raw,
    sizeBytes: counted ? undefined : size?.bytes,
    replacesBytes: resource?.stat.sizeBytes ?? 0,
    modifiedAtMs,
    expected: isConditional ? (resource?.stat.etag ?? null) : undefined,
    async requireMay() {
      counted?.requireSize()
      await requireStillWrites(request, place.path)
      await requireUnlocked(ctx, actor, { change, tokens })
    },
  })
  if (modifiedAtMs !== null) reply.header('x-oc-mtime', 'accepted')
  return reply
    .code(resource ? 204 : 201)
    .header('etag', `"${stat.etag}"`)
    .send()
}

export async function remove(call: DavCall): Promise<FastifyReply> {
  const { ctx, actor, request, reply, path } = call
  const rule = { method: 'DELETE', allowed: ['infinity'] } as const
  const depth = parseDepth(headerOf(request, 'depth'), rule)
  const found = await getEntry(ctx, actor, path)
  if (found.kind === 'virtual') throw new AppError(fsErrors.not_operable)
  if (depth !== 'infinity' && isFolder(found)) throw depthRefused(depth, rule)
  const place = await getPlace(ctx, actor, path, 'write')
  if (place.rest === '') throw new AppError(fsErrors.not_operable)
  const holdsOwner = newId()
  await using holds = openLeases(ctx, holdsOwner)
  const resource = await getHeldEntry(call, { holds, place, found })
  const change = { place, isTree: isFolder(resource), isMembership: true }
  const tokens = await requireMay(call, { resource, change })
  const locks = { tokens: [...tokens] }
  const failures = await removeResource(ctx, actor, { place, resource, locks, holdsOwner })
  return failures.length > 0 ? answerFailures(call, failures) : reply.code(204).send()
}

export async function mkcol(call: DavCall): Promise<FastifyReply> {
  const { ctx, actor, request, reply, path } = call
  if (hasBody(request)) throw new AppError(webdavErrors.body_unexpected)
  const found = await findResource(ctx, actor, path.replace(/(?<=.)\/$/, ''))
  if (found?.kind === 'file') reply.header('allow', `${ALLOW_THERE}, PUT`)
  if (found) throw new AppError(webdavErrors.method_impossible)
  const place = await getPlace(ctx, actor, path, 'write')
  await using holds = openLeases(ctx)
  await takeForWrite(holds, nameAt(place))
  const change = { place, isTree: false, isMembership: true }
  await requireMay(call, { resource: null, change })
  await makeFolder(ctx, actor, place.path)
  return reply.code(201).send()
}

async function copyOrMove(call: DavCall, { isMove }: { isMove: boolean }): Promise<FastifyReply> {
  const { ctx, actor, request, reply, path } = call
  const destination = headerOf(request, 'destination')
  if (destination === undefined)
    throw new AppError(webdavErrors.header_invalid, { params: { header: 'Destination' } })
  const rule = isMove
    ? ({ method: 'MOVE', allowed: ['infinity'] } as const)
    : ({ method: 'COPY', allowed: [0, 'infinity'] } as const)
  const depth = parseDepth(headerOf(request, 'depth'), rule)
  const mayReplace = parseOverwrite(headerOf(request, 'overwrite'))
  const targetPath = pathOfUrl(destination, {
    header: 'Destination',
    basePath: ctx.config.basePath,
  })
  const resource = await getEntry(ctx, actor, path)
  if (resource.kind === 'virtual') throw new AppError(fsErrors.not_operable)
  if (isFolder(resource) && (depth === 1 || (isMove && depth === 0))) throw depthRefused(depth, rule)
  const place = await getPlace(ctx, actor, path, isMove ? 'write' : 'read')
  if (isMove && place.rest === '') throw new AppError(fsErrors.not_operable)
  const isConditional = hasConditions(request)
  const ifMatch = isConditional && resource.kind === 'file' ? resource.stat.etag : undefined
  const source = { place, resource, ifMatch }
  const work = { isMove, source, targetPath, mayReplace, isConditional, isDeep: depth !== 0 }
  const target = await resolveTarget(ctx, actor, work)
  const tokens = await requireConditions(ctx, request, { actor, resource, name: nameAt(place) })
  const isTree = isFolder(resource)
  if (isMove) {
    const change = { place, isTree, isMembership: true }
    await requireUnlocked(ctx, actor, { change, tokens })
  }
  // Replacing the target adds and removes a member of its folder, so the folder's locks apply too.
  // Source: RFC 4918, section 7.4, read 2026-11-25.
  const change = { place: target.place, isTree: true, isMembership: true }
  await requireUnlocked(ctx, actor, { change, tokens })
  // Disables the timeout, because a transfer can take a long time, and nothing is sent meanwhile.
  request.raw.socket.setTimeout(0)
  const { failures, hasReplaced } = await transfer(ctx, actor, { work, target, tokens })
  if (failures.length > 0) return answerFailures(call, failures)
  if (!hasReplaced)
    reply.header('location', hrefOf(driveRootOf(ctx.config), target.place.path, { isFolder: isTree }))
  return reply.code(hasReplaced ? 204 : 201).send()
}

export const copy = (call: DavCall): Promise<FastifyReply> => copyOrMove(call, { isMove: false })
export const move = (call: DavCall): Promise<FastifyReply> => copyOrMove(call, { isMove: true })

/** End of the last year with four digits. */
const LATEST_MS = Date.UTC(10_000, 0)
const PROTECTED = '<D:cannot-modify-protected-property/>'

/** @returns whether the properties were within the limits. */
async function areStored(
  ctx: Needs<'database'>,
  name: StorageName,
  changes: readonly ReadPropertyChange[],
): Promise<boolean> {
  try {
    await changeProperties(ctx, name, changes)
    return true
  } catch (error) {
    if (error instanceof AppError && error.spec.code === webdavErrors.properties_full.code) return false
    throw error
  }
}

/** Returns the last change to a file's Windows time; `null` if there is none. */
const timeIn = (changes: readonly ReadPropertyChange[]): ReadPropertyChange | null =>
  changes.findLast((one) => one.namespace === WIN32_TIME.namespace && one.name === WIN32_TIME.name) ?? null

const hasTime = async (ctx: Needs<'db'>, { configId, key }: StorageName): Promise<boolean> =>
  (await readClientProperties(ctx, { configId, keys: [key] }, [WIN32_TIME])).propertyCount > 0

interface TimeChange {
  readonly name: StorageName
  readonly stat: ObjectStat
  readonly change: ReadPropertyChange
  /** Whether Windows had set a time before. Times set by other clients are not removed. */
  readonly had: boolean
}

/** Updates the displayed time after Windows has set or removed its time property. */
async function noteTime(ctx: Needs<'db'>, { name, stat, change, had }: TimeChange): Promise<void> {
  if (change.xml === null) {
    if (had) await forgetTime(ctx, name)
    return
  }
  const modifiedAtMs = Date.parse(textOf(change.element))
  if (modifiedAtMs > 0 && modifiedAtMs < LATEST_MS)
    await setClientTime(ctx, name, { etag: stat.etag, modifiedAtMs })
}

/** Sets and removes all given properties, or none. */
export async function proppatch(call: DavCall): Promise<FastifyReply> {
  const { ctx, actor, reply, path } = call
  const changes = parsePropertyUpdate(await readXml(call))
  const place = await getPlace(ctx, actor, path, 'write')
  const name = nameAt(place)
  await using holds = openLeases(ctx)
  await takeForWrite(holds, nameAt(place))
  // Reads the resource after the lease is taken. Otherwise the resource could be deleted meanwhile, and a later
  // resource with the same name would get the properties.
  const resource = await getEntry(ctx, actor, path)
  if (resource.kind === 'virtual') throw new AppError(fsErrors.not_operable)
  await requireMay(call, { resource, change: { place, isTree: false, isMembership: false } })
  const refused = changes.filter(isProtected)
  const others = changes.filter((change) => !isProtected(change))
  const change = timeIn(changes)
  const had = change !== null && (await hasTime(ctx, name))
  const isKept = refused.length === 0 && (await areStored(ctx, name, changes))
  if (isKept && change && resource.kind === 'file')
    await noteTime(ctx, { name, stat: resource.stat, change, had })
  const outcome = isKept
    ? propstat(200, writeNames(changes))
    : refused.length > 0
      ? propstat(403, writeNames(refused), PROTECTED) + propstat(424, writeNames(others))
      : propstat(webdavErrors.properties_full.status, writeNames(changes))
  const body = MULTISTATUS_START + response(hrefOfResource(ctx, resource), outcome) + MULTISTATUS_END
  return reply.code(207).type(XML_TYPE).send(body)
}
