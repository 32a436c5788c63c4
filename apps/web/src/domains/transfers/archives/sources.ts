import {
  createArchiveNames,
  fsArchiveRoutes,
  fsFileRoutes,
  fsListingRoutes,
  LIST_LIMIT_MAX,
} from '@dropleaf/contract'
import { ApiError } from '../../../lib/api-error.ts'
import { api, interpretReply } from '../../api/api-client.ts'
import { requestHeaders } from '../../api/request-headers.ts'
import { routeUrl } from '../../api/route-url.ts'
import type { BasketItem } from './basket.ts'
import { errorText } from '../../../i18n/error-text.ts'
import type { ZipMember } from '../../../lib/zip-stream.ts'
import { createTail, readReport } from './archive-report.ts'

/** An archive as a stream of bytes. */
export interface PackSource {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Returns the paths of missing files with their errors. Call after the stream has ended. */
  readonly failures: () => string[]
}

interface SourceOptions {
  readonly items: readonly BasketItem[]
  readonly name: string
  readonly signal: AbortSignal
}

export const archivePath = ({ path, isDirectory }: BasketItem): string =>
  isDirectory ? `${path.replace(/\/$/, '')}/` : path

/**
 * Streams an archive that the server creates.
 * @throws {ApiError} if the server refuses
 * @throws {TypeError} if the server is unreachable
 * @throws {DOMException} `AbortError`
 */
export async function packOnServer({ items, name, signal }: SourceOptions): Promise<PackSource> {
  const { method, path } = fsArchiveRoutes.stream
  const headers = { ...requestHeaders(), 'Content-Type': 'application/json' }
  const body = JSON.stringify({ paths: items.map(archivePath), name })
  const answer = await fetch(routeUrl(path), { method, headers, body, signal })
  if (!answer.ok || !answer.body) {
    const raw = {
      status: answer.status,
      text: await answer.text(),
      retryAfter: answer.headers.get('Retry-After'),
    }
    interpretReply(raw, { method, url: path, headers })
    throw new ApiError({ kind: 'http', code: 'client.bad_reply', message: 'The archive has no bytes.' })
  }
  const tail = createTail()
  const watched = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      tail.push(chunk)
      controller.enqueue(chunk)
    },
  })
  return { stream: answer.body.pipeThrough(watched), failures: () => readReport(tail.bytes()) }
}

export interface FileToPack {
  readonly path: string
  /** Name inside the archive. */
  readonly name: string
}

/** Yields all files below a folder. Loads the listings page by page. */
export async function* filesBelow(
  folder: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<FileToPack> {
  const folders = [{ path: folder, name }]
  for (let next = folders.shift(); next; next = folders.shift()) {
    let cursor: string | null = null
    do {
      const query = { path: next.path, limit: LIST_LIMIT_MAX, ...(cursor !== null && { cursor }) }
      const { data }: Awaited<ReturnType<typeof listPage>> = await listPage(query, signal)
      for (const item of data.items) {
        const inArchive = `${next.name}/${item.name}`
        if (item.isDirectory) folders.push({ path: item.path, name: inArchive })
        else yield { path: item.path, name: inArchive }
      }
      cursor = data.next_cursor ?? null
    } while (cursor !== null)
  }
}

const listPage = (query: { path: string; limit: number; cursor?: string }, signal: AbortSignal) =>
  api(fsListingRoutes.list, { query, signal })

/** Fetches a file directly from its storage. */
export async function openFileBytes(path: string, signal: AbortSignal): Promise<Response> {
  const { data } = await api(fsFileRoutes.get, { query: { path }, signal })
  const answer = await fetch(data.download_url ?? '', { signal })
  if (!answer.ok)
    throw new ApiError({
      kind: 'http',
      code: 'client.unknown',
      status: answer.status,
      message: `HTTP ${answer.status}`,
    })
  return answer
}

/** Creates an archive in the browser from files fetched directly from the storages. */
export async function packHere({ items, signal }: SourceOptions): Promise<PackSource> {
  const { zipStream } = await import('../../../lib/zip-stream.ts')
  const names = createArchiveNames()
  const failures: string[] = []
  async function* members(signal: AbortSignal): AsyncGenerator<ZipMember> {
    for (const item of items) {
      const rename = names.forRoot()
      // If a folder changes while it is listed, the listing can contain a file twice.
      const packed = new Set<string>()
      const files = item.isDirectory ? filesBelow(archivePath(item), item.name, signal) : [item]
      try {
        for await (const file of files) {
          if (packed.has(file.path)) continue
          const answer = await openFileBytes(file.path, signal).catch((error: unknown) => {
            signal.throwIfAborted()
            failures.push(`${file.path}: ${errorText(error)}`)
          })
          if (!answer) continue
          packed.add(file.path)
          yield memberOf(rename(file.name), answer)
        }
      } catch (error) {
        signal.throwIfAborted()
        failures.push(`${item.path}: ${errorText(error)}`)
      }
    }
  }
  const stream = zipStream((unread) => members(AbortSignal.any([signal, unread])))
  return { stream, failures: () => failures }
}

function memberOf(name: string, answer: Response): ZipMember {
  const announced = answer.headers.get('Content-Length')
  return {
    name,
    input: answer.body ?? new Blob([]).stream(),
    modifiedAt: new Date(),
    sizeBytes: announced === null ? undefined : Number(announced),
  }
}
