import { fsFileRoutes } from '@dropleaf/contract'
import { api, interpretReply } from '../../../domains/api/api-client.ts'
import { requestHeaders } from '../../../domains/api/request-headers.ts'
import { routeUrl } from '../../../domains/api/route-url.ts'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import type { Encoding } from '../../../lib/text/detect-encoding.ts'
import { decodeText } from '../../../lib/text/decode-text.ts'
import { nameOfPath, numberedName, parentOf } from '../models/fs-paths.ts'

export interface LoadedText {
  readonly text: string
  /** ETag of exactly the bytes that were read. */
  readonly etag: string
  /** Encoding of the stored file. Saving converts the text to UTF-8. */
  readonly encoding: Encoding
  /** Byte order mark of a UTF-8 file, which saving keeps. */
  readonly mark: '' | '\uFEFF'
}

const hasMark = ([first, second, third]: Uint8Array) => first === 0xef && second === 0xbb && third === 0xbf

/**
 * Decodes a file without loss.
 * @param chosenEncoding encoding chosen by the user, or `null`
 * @throws {ApiError} `client.not_text` if the file is binary, or bytes would be lost
 */
export async function toEditable(
  bytes: Uint8Array,
  chosenEncoding: Encoding | null,
): Promise<Omit<LoadedText, 'etag'>> {
  const { text, encoding, isText, isExact } = await decodeText(bytes, { chosenEncoding })
  if (!isText || !isExact) throw new ApiError({ kind: 'http', code: 'client.not_text', message: '' })
  return { text, encoding, mark: encoding === 'utf-8' && hasMark(bytes) ? '\uFEFF' : '' }
}

interface LoadOptions {
  readonly chosenEncoding?: Encoding | null
  readonly signal?: AbortSignal
}

/** Loads a text file. @throws {ApiError} `client.not_text`, or errors of the download */
export async function loadText(
  path: string,
  { chosenEncoding = null, signal }: LoadOptions = {},
): Promise<LoadedText> {
  const headers = requestHeaders()
  const url = routeUrl(fsFileRoutes.download.path, { query: { path } })
  const response = await fetch(url, { headers, cache: 'no-store', ...(signal && { signal }) }).catch(
    (cause: unknown) => {
      throw new ApiError({ kind: 'network', code: 'client.network', message: '', cause })
    },
  )
  if (!response.ok) {
    const text = await response.text()
    interpretReply({ status: response.status, text, retryAfter: null }, { method: 'GET', url, headers })
  }
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { ...(await toEditable(bytes, chosenEncoding)), etag: response.headers.get('ETag') ?? '' }
}

interface SaveText {
  path: string
  text: string
  mark: LoadedText['mark']
  /** Expected version of the file; `null` overwrites any version. */
  etag: string | null
}

/**
 * @returns the new ETag
 * @throws {ApiError} `fs.changed` if the file has changed meanwhile, or another error of the request
 */
export async function saveText({ path, text, mark, etag }: SaveText): Promise<string> {
  const { data } = await api(fsFileRoutes.update, { body: { path, content: mark + text, etag } })
  return data.etag
}

const COPIES_MAX = 100

/**
 * Saves a copy in the same folder, with the first free number in its name.
 * @returns the name of the copy
 * @throws {ApiError} `fs.exists` if every number below {@link COPIES_MAX} is taken, or an error of a request
 */
export async function saveBeside(o: Omit<SaveText, 'etag'>): Promise<string> {
  for (let number = 1; number < COPIES_MAX; number += 1) {
    const name = numberedName(nameOfPath(o.path), number)
    const path = `${parentOf(o.path)}${name}`
    if (!(await isThere(path))) {
      await saveText({ ...o, path, etag: null })
      return name
    }
  }
  throw new ApiError({ kind: 'http', code: 'fs.exists', message: '' })
}

/** Whether the path exists. @throws {ApiError} */
export async function isThere(path: string): Promise<boolean> {
  try {
    await api(fsFileRoutes.get, { query: { path } })
    return true
  } catch (error) {
    if (hasCode(error, 'fs.not_found')) return false
    throw error
  }
}
