import { Readable } from 'node:stream'
import { ARCHIVE_REPORT_NAME, fsErrors } from '@dropleaf/contract'
import { isFolderKey, type ObjectStat } from '@dropleaf/storage'
import type { Needs, PlaceNeeds } from '../../../context.ts'
import { specOf } from '../../../errors/error-specs.ts'
import { type Language, messageFor } from '../../../messages/index.ts'
import { AppError } from '../../../lib/app-error.ts'
import { isAtOrBelow, pathBelow, type VirtualPath } from '../../../lib/paths.ts'
import { nameOf } from '../../../lib/object-names.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import type { MountRow } from '../../foundation/mounts/mounts.table.ts'
import { findMountOf, visibleMounts } from '../../foundation/mounts/mounts.usecases.ts'
import { requireAccess } from '../fs/places/access.models.ts'
import { archiveName, createNames, memberName } from './archive.models.ts'
import { hiddenByInnerMounts } from '../fs/places/hidden-by-inner-mounts.usecases.ts'
import { getPlace, type Place, prefixOf } from '../fs/places/places.usecases.ts'
import { keyAt, pathOfKey } from '../fs/transfers/transfer-run.usecases.ts'
import { walk } from '../../../storage/walk.ts'

export interface ArchiveRequest {
  readonly paths: readonly string[]
  readonly name: string | null
}

/** A file or folder in an archive. */
interface Member {
  readonly name: string
  readonly place: Place
  readonly stat: ObjectStat
}

interface Fault {
  readonly path: string
  readonly error: unknown
}

/**
 * Checks that an archive can be created, and returns its file name.
 * @throws {AppError} as `requireAccess` for any path; for a single path also `fs.no_mount` and `fs.not_found`
 */
export async function prepareArchive(
  ctx: PlaceNeeds,
  actor: Actor,
  { paths, name }: ArchiveRequest,
): Promise<string> {
  for (const path of paths) requireAccess(actor, path, 'read')
  const [only] = paths
  if (paths.length === 1 && only !== undefined) {
    let hasFaults = false
    const members = membersOf(ctx, actor, { path: only, onFault: () => void (hasFaults = true) })
    const first = await members.next()
    await members.return(undefined)
    if (first.done && !hasFaults) throw new AppError(fsErrors.not_found)
  }
  return archiveName(name, paths)
}

/** A path to walk, and the prefix of the names of its members. */
interface Root {
  readonly path: string
  readonly name: string
}

/** Returns the paths to walk for a selected path. As in the listing, a folder includes the mounts inside it. */
function rootsOf(
  actor: Actor,
  { mounts, path }: { mounts: readonly MountRow[]; path: string },
): readonly Root[] {
  const { path: virtual, isFolder } = requireAccess(actor, path, 'read')
  const around = findMountOf(mounts, virtual)
  // A mount is a folder with or without a trailing slash, as in the listing.
  const isFile = around !== undefined && !isFolder && around.mount_path !== virtual
  const below = mounts
    .map((mount) => mount.mount_path as VirtualPath)
    .filter((mount) => mount !== virtual && isAtOrBelow(mount, virtual))
  if (!around && below.length === 0) throw new AppError(fsErrors.no_mount)
  if (isFile) return [{ path, name: nameOf(virtual) }]
  const base = around ? `${nameOf(virtual)}/` : ''
  const inside = below.map((mount) => ({ path: `${mount}/`, name: base + pathBelow(mount, virtual) }))
  return around ? [{ path: `${virtual}/`, name: nameOf(virtual) }, ...inside] : inside
}

interface Selected {
  readonly path: string
  /** Called for each entry of a folder that cannot be archived. */
  readonly onFault: (fault: Fault) => void
}

/** Yields the members of a selected path; their names are relative to that path. */
async function* membersOf(
  ctx: PlaceNeeds,
  actor: Actor,
  { path, onFault }: Selected,
): AsyncGenerator<Member> {
  const mounts = await visibleMounts(ctx, actor)
  for (const root of rootsOf(actor, { mounts, path })) {
    const place = await getPlace(ctx, actor, root.path, 'read')
    if (!place.isFolder) {
      const stat = await place.driver.stat(keyAt(place, { isFolder: false }))
      if (!stat) throw new AppError(fsErrors.not_found)
      yield { name: root.name, place, stat }
      continue
    }
    const prefix = prefixOf(place)
    const isHidden = hiddenByInnerMounts(place, mounts)
    for await (const page of walk(place.driver, { prefix })) {
      for (const name of page.unnamed)
        if (!isHidden(name))
          onFault({ path: pathOfKey(place, name), error: new AppError(fsErrors.names_unusable) })
      for (const stat of page.objects)
        if (!isHidden(stat.key)) yield { name: `${root.name}/${stat.key.slice(prefix.length)}`, place, stat }
    }
  }
}

/** Yields the bytes of a member. A read error truncates the member instead of aborting the whole archive. */
async function* bytesOf(
  { place, stat }: Member,
  { signal, onFault }: { signal: AbortSignal; onFault: (fault: Fault) => void },
): AsyncGenerator<Buffer> {
  try {
    const { body } = await place.driver.read(stat.key, { signal })
    for await (const chunk of body) yield chunk as Buffer
  } catch (error) {
    signal.throwIfAborted()
    onFault({ path: pathOfKey(place, stat.key), error })
  }
}

/** Escapes control characters, including line breaks. */
const inOneLine = (text: string): string =>
  text.replace(/\p{Cc}/gu, (mark) => `\\x${mark.charCodeAt(0).toString(16).padStart(2, '0')}`)

/**
 * Reads the first chunk before the member is added to the archive, so that an unreadable file leaves no empty member.
 */
async function openFirst(bytes: AsyncGenerator<Buffer>): Promise<AsyncIterable<Buffer>> {
  const first = await bytes.next()
  async function* whole() {
    if (first.done) return
    yield first.value
    yield* bytes
  }
  return whole()
}

interface Input {
  readonly member: Member
  /** `null` for a folder or an unreadable file. */
  readonly input: AsyncIterable<Buffer> | readonly Buffer[] | null
}

/** Reads a few small files ahead, because each one costs a round trip on remote storage. */
const READ_AHEAD_FILES = 8
const READ_AHEAD_BYTES = 256 * 1024

async function readSmall(bytes: AsyncGenerator<Buffer>): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return chunks
}

/** Yields the members with their bytes, in order. */
async function* withInputs(
  members: AsyncIterable<Member>,
  o: { signal: AbortSignal; onFault: (fault: Fault) => void },
): AsyncGenerator<Input> {
  const queue: Array<{ member: Member; open: () => Promise<Input> }> = []
  function enqueue(member: Member): void {
    let hasFailed = false
    const onFault = (fault: Fault) => {
      hasFailed = true
      o.onFault(fault)
    }
    const bytes = () => bytesOf(member, { signal: o.signal, onFault })
    const present = (input: Input['input']): Input => ({ member, input: hasFailed ? null : input })
    if (isFolderKey(member.stat.key)) {
      queue.push({ member, open: async () => ({ member, input: null }) })
    } else if (member.stat.sizeBytes > READ_AHEAD_BYTES) {
      queue.push({ member, open: async () => present(await openFirst(bytes())) })
    } else {
      const early = readSmall(bytes())
      // Prevents an unhandled rejection; the error is handled where `early` is awaited.
      early.catch(() => undefined)
      queue.push({ member, open: async () => present(await early) })
    }
  }
  for await (const member of members) {
    enqueue(member)
    if (queue.length < READ_AHEAD_FILES) continue
    const next = queue.shift()
    if (next) yield await next.open()
  }
  for (const rest of queue) yield await rest.open()
}

async function* streamOf(input: AsyncIterable<Buffer> | readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* input
}

interface ArchiveWork extends ArchiveRequest {
  readonly language: Language
  readonly signal: AbortSignal
}

async function* entriesOf(ctx: PlaceNeeds & Needs<'log'>, actor: Actor, work: ArchiveWork) {
  const faults: string[] = []
  const onFault = ({ path, error }: Fault) => {
    const { code } = specOf(error)
    if (code === 'request.internal') ctx.log.error({ err: error, path }, 'a member of an archive failed')
    faults.push(`${inOneLine(path)}: ${messageFor(code, work.language)}`)
  }
  const names = createNames()
  for (const path of work.paths) {
    const rename = names.forRoot()
    try {
      const members = withInputs(membersOf(ctx, actor, { path, onFault }), { signal: work.signal, onFault })
      for await (const { member, input } of members) {
        const name = memberName(rename(member.name))
        const lastModified = new Date(member.stat.modifiedAtMs)
        if (isFolderKey(member.stat.key)) yield { name, lastModified }
        else if (input) yield { name, lastModified, input: streamOf(input) }
      }
    } catch (error) {
      work.signal.throwIfAborted()
      onFault({ path, error })
    }
  }
  if (faults.length === 0) return
  yield {
    name: names.forRoot()(ARCHIVE_REPORT_NAME),
    lastModified: new Date(ctx.clock.nowMs()),
    input: `${faults.join('\n')}\n`,
  }
}

/**
 * Streams selected files and folders as an uncompressed zip archive (zip64, UTF-8 names). Equal names get a number. If
 * any files were unreadable or truncated, the last member lists them.
 */
export async function openArchive(
  ctx: PlaceNeeds & Needs<'log'>,
  actor: Actor,
  request: ArchiveRequest & { readonly language: Language },
): Promise<Readable> {
  const { makeZip } = await import('client-zip')
  const abort = new AbortController()
  const zip = makeZip(entriesOf(ctx, actor, { ...request, signal: abort.signal }))
  const body = Readable.fromWeb(zip as Parameters<typeof Readable.fromWeb>[0])
  body.once('close', () => abort.abort(new Error('Nobody reads the archive any more.')))
  return body
}
