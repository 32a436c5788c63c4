import { fsFileRoutes } from '@dropleaf/contract'
import { api, interpretReply, requestHeaders, routeUrl } from '../../../lib/api-client.ts'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { decodeText } from '../../../lib/decode-text.ts'
import { nameOfPath, numberedName, parentOf } from '../models/fs-paths.ts'
import type { LineEnd } from '../models/text-form.ts'
import { findLineEnd, withLineEnd } from '../models/text-form.ts'

export interface LoadedText {
  readonly text: string
  /** Of exactly these bytes. */
  readonly etag: string
  readonly lineEnd: LineEnd
  /** Whether it is stored in another encoding: it is saved as UTF-8. */
  readonly isForeign: boolean
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Reads a whole file as text. @throws {ApiError} */
export async function loadText(path: string, signal?: AbortSignal): Promise<LoadedText> {
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
  const text = decodeText(bytes, false)
  return {
    text: withLineEnd(text, '\n'),
    etag: response.headers.get('ETag') ?? '',
    lineEnd: findLineEnd(text),
    isForeign: !isUtf8(bytes),
  }
}

interface SaveText {
  path: string
  text: string
  lineEnd: LineEnd
  /** `null` overwrites whatever is there. */
  etag: string | null
}

/** @returns the tag of what is stored now. @throws {ApiError} `fs.changed` when somebody else has saved meanwhile */
export async function saveText({ path, text, lineEnd, etag }: SaveText): Promise<string> {
  const content = withLineEnd(text, lineEnd)
  const { data } = await api(fsFileRoutes.update, { body: { path, content, etag } })
  return data.etag
}

const COPIES_MAX = 100

/** Saves beside the file, under the first number that is free. @returns its name. @throws {ApiError} */
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

/** Whether anything has the path. @throws {ApiError} */
export async function isThere(path: string): Promise<boolean> {
  try {
    await api(fsFileRoutes.get, { query: { path } })
    return true
  } catch (error) {
    if (hasCode(error, 'fs.not_found')) return false
    throw error
  }
}
