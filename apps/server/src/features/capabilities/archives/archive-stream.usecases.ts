import { Readable } from 'node:stream'
import { ARCHIVE_REPORT_NAME, createArchiveNames } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { specOf } from '../../../errors/error-specs.ts'
import { type Language, messageFor } from '../../../messages/index.ts'

/** A file or folder in an archive. */
export interface ArchiveMember {
  /** Path in the archive. */
  readonly name: string
  /** Path that the report shows if the file cannot be read. */
  readonly path: string
  readonly isFolder: boolean
  readonly sizeBytes: number
  readonly modifiedAtMs: number
  read(signal: AbortSignal): Promise<Readable>
}

export interface ArchiveFault {
  readonly path: string
  readonly error: unknown
}

/** A selected path of an archive. Equal top-level names of different sources are made unique. */
export interface ArchiveSource {
  readonly path: string
  /** @param onFault called for each entry that cannot be archived. */
  members(onFault: (fault: ArchiveFault) => void): AsyncIterable<ArchiveMember>
}

/** Yields the bytes of a member. A read error is reported and ends the member, but does not abort the archive. */
async function* bytesOf(
  member: ArchiveMember,
  { signal, onFault }: { signal: AbortSignal; onFault: (fault: ArchiveFault) => void },
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of await member.read(signal)) yield chunk as Buffer
  } catch (error) {
    signal.throwIfAborted()
    onFault({ path: member.path, error })
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
  readonly member: ArchiveMember
  /** Bytes of the member; `null` for a folder or an unreadable file. */
  readonly input: AsyncIterable<Buffer> | readonly Buffer[] | null
}

/** Reads a few small files ahead, because each file costs a round trip on remote storage. */
const READ_AHEAD_FILES = 8
const READ_AHEAD_BYTES = 256 * 1024

async function readSmall(bytes: AsyncGenerator<Buffer>): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return chunks
}

/** Yields the members with their bytes, in order. */
async function* withInputs(
  members: AsyncIterable<ArchiveMember>,
  o: { signal: AbortSignal; onFault: (fault: ArchiveFault) => void },
): AsyncGenerator<Input> {
  const queue: Array<{ member: ArchiveMember; open: () => Promise<Input> }> = []
  function enqueue(member: ArchiveMember): void {
    let hasFailed = false
    const onFault = (fault: ArchiveFault) => {
      hasFailed = true
      o.onFault(fault)
    }
    const bytes = () => bytesOf(member, { signal: o.signal, onFault })
    const present = (input: Input['input']): Input => ({ member, input: hasFailed ? null : input })
    if (member.isFolder) {
      queue.push({ member, open: async () => ({ member, input: null }) })
    } else if (member.sizeBytes > READ_AHEAD_BYTES) {
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

export interface ArchiveWork {
  readonly sources: Iterable<ArchiveSource>
  readonly language: Language
}

async function* entriesOf(
  ctx: Needs<'clock' | 'log'>,
  { sources, language, signal }: ArchiveWork & { readonly signal: AbortSignal },
) {
  const faults = new Set<string>()
  const onFault = ({ path, error }: ArchiveFault) => {
    const { code } = specOf(error)
    if (code === 'request.internal') ctx.log.error({ err: error, path }, 'a member of an archive failed')
    faults.add(`${inOneLine(path)}: ${messageFor(code, language)}`)
  }
  const names = createArchiveNames()
  for (const source of sources) {
    const rename = names.forRoot()
    try {
      for await (const { member, input } of withInputs(source.members(onFault), { signal, onFault })) {
        const name = rename(member.name)
        const lastModified = new Date(member.modifiedAtMs)
        if (member.isFolder) yield { name, lastModified }
        else if (input) yield { name, lastModified, input: streamOf(input) }
      }
    } catch (error) {
      signal.throwIfAborted()
      onFault({ path: source.path, error })
    }
  }
  if (faults.size === 0) return
  yield {
    name: names.forRoot()(ARCHIVE_REPORT_NAME),
    lastModified: new Date(ctx.clock.nowMs()),
    input: `${[...faults].join('\n')}\n`,
  }
}

/**
 * Streams selections as an uncompressed zip archive (zip64, UTF-8 names). Equal names get a number. If anything could
 * not be archived completely, the last member lists it.
 */
export async function streamArchive(ctx: Needs<'clock' | 'log'>, work: ArchiveWork): Promise<Readable> {
  const { makeZip } = await import('client-zip')
  const abort = new AbortController()
  const zip = makeZip(entriesOf(ctx, { ...work, signal: abort.signal }))
  const body = Readable.fromWeb(zip as Parameters<typeof Readable.fromWeb>[0])
  body.once('close', () => abort.abort(new Error('Nobody reads the archive any more.')))
  return body
}
