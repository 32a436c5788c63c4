import { MIB } from '@dropleaf/contract'
import { ZipWriter } from '@zip.js/zip.js/lib/zip-core-writer.js'

export interface ZipMember {
  /** Path inside the archive. Must be unique. */
  readonly name: string
  readonly input: ReadableStream<Uint8Array<ArrayBuffer>>
  readonly modifiedAt: Date
  /** Announced size. The input may be longer, because browsers decompress responses. */
  readonly sizeBytes?: number | undefined
}

/** Returns the members in the order of the archive. The signal aborts when the archive is no longer read. */
export type ListMembers = (signal: AbortSignal) => Iterable<ZipMember> | AsyncIterable<ZipMember>

/**
 * Members with a smaller announced size than this limit get headers without 64-bit sizes, because some programs cannot
 * read 64-bit sizes. If such a member reaches 4 GiB, the archive fails. The limit is therefore sixteen times lower than
 * 4 GiB, because an input can be longer than announced.
 */
const PLAIN_HEADER_MAX_BYTES = 256 * MIB

/**
 * Streams a zip archive of uncompressed members. Reads only as much as its reader requests. The stream fails if a
 * member fails, so that an incomplete file is never mistaken for a complete one.
 */
export function zipStream(list: ListMembers): ReadableStream<Uint8Array<ArrayBuffer>> {
  const stop = new AbortController()
  const archive = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
  void writeMembers(archive.writable, list(stop.signal))
  const reader = archive.readable.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel(reason) {
        stop.abort(reason)
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Writes an archive. An error is passed on to the reader of the archive. */
async function writeMembers(
  archive: WritableStream<Uint8Array<ArrayBuffer>>,
  members: ReturnType<ListMembers>,
): Promise<void> {
  const zip = new ZipWriter(archive, { level: 0, useWebWorkers: false })
  try {
    for await (const member of members) {
      await writeMember(zip, member)
      forgetMember(zip)
    }
    await zip.close()
  } catch (error) {
    // The archive is already closed if its reader has cancelled.
    await archive.abort(error).catch(() => undefined)
  }
}

async function writeMember(zip: ZipWriter<unknown>, member: ZipMember): Promise<void> {
  const { name, input, modifiedAt, sizeBytes = Number.POSITIVE_INFINITY } = member
  const isPlain = sizeBytes < PLAIN_HEADER_MAX_BYTES
  try {
    await zip.add(name, input, { lastModDate: modifiedAt, ...(isPlain && { zip64: false }) })
  } catch (error) {
    // The library does not cancel inputs that it has not started to read.
    await input.cancel(error).catch(() => undefined)
    throw error
  }
}

/**
 * The library stores a promise for each member until the end of the archive, for callers that do not await the member.
 * Removing the promises saves 3 kB per file, which is two thirds of the memory for an archive of small files.
 */
function forgetMember(zip: ZipWriter<unknown> & { pendingErrors?: unknown[] }): void {
  zip.pendingErrors?.splice(0)
}
