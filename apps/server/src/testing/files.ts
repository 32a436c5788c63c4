import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import type { TestAnswer, TestApp, TestCall, TestClient } from './app.ts'

/** Returns the path and query of a URL in a response, for `inject`. */
export function pathOf(address: string): string {
  const url = new URL(address)
  return url.pathname + url.search
}

/** Reads a URL from a response as a browser does, on this server or wherever it redirects. */
export async function readAddress(
  client: TestClient,
  address: string,
): Promise<{ status: number; text: string; bytes: Buffer; disposition: string | null | undefined }> {
  const { pathname, search } = new URL(address)
  if (!pathname.startsWith('/api/')) {
    const answer = await fetch(address)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const disposition = answer.headers.get('content-disposition')
    return { status: answer.status, text: bytes.toString(), bytes, disposition }
  }
  const { status, text, bytes, headers } = await client.call('GET', pathname + search)
  if (status === 302 && headers.location) return readAddress(client, headers.location)
  return { status, text, bytes, disposition: headers['content-disposition'] }
}

/** Shares bytes in one call, and returns the `data` of the upload. */
export async function share(
  client: TestClient,
  filename: string,
  { bytes = 'bytes', query = {} }: { bytes?: string | Buffer; query?: Record<string, string> } = {},
) {
  const answer = await shareRaw(client, filename, { bytes, query })
  if (answer.status !== 200) throw new Error(`The upload failed: ${answer.text}`)
  return answer.body.data
}

/** Shares bytes as {@link share} does, but returns the response even if it is an error. */
export const shareRaw = (
  client: TestClient,
  filename: string,
  {
    bytes = 'bytes',
    query = {},
    headers = {},
  }: { bytes?: string | Buffer; query?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<TestAnswer> =>
  client.call('PUT', `/api/upload-direct/${encodeURIComponent(filename)}`, {
    payload: bytes,
    query,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  })

/** Returns the id of the local disk that the first start creates. */
export async function localDiskId(t: TestApp): Promise<string> {
  const row = await t.ctx.db
    .selectFrom('storage_configs')
    .select('id')
    .where('bucket_name', '=', 'local')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Builds a form as browsers send it. A part with `filename` is a file. */
export function form(
  parts: ReadonlyArray<{ name: string; value: string | Buffer; filename?: string; type?: string }>,
): Required<Pick<TestCall, 'payload' | 'headers'>> {
  const chunks = parts.flatMap(({ name, value, filename, type }) => [
    `--b0undary\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    type === undefined ? '\r\n' : `Content-Type: ${type}\r\n\r\n`,
    value,
    '\r\n',
  ])
  return {
    payload: Buffer.concat([...chunks, '--b0undary--\r\n'].map((chunk) => Buffer.from(chunk))),
    headers: { 'content-type': 'multipart/form-data; boundary=b0undary' },
  }
}

/** Returns the relative paths of all files in the local disk's folder, including the files of folder markers. */
export async function filesOnDisk(t: TestApp): Promise<string[]> {
  const root = join(t.dataDir, 'storage', 'local')
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

export const bytesOnDisk = (t: TestApp, key: string): Promise<Buffer> =>
  readFile(join(t.dataDir, 'storage', 'local', key))

/** Sets the capacity of every storage. */
export const setCapacity = (t: TestApp, bytes: number | null) =>
  t.ctx.db.updateTable('storage_configs').set({ total_storage_bytes: bytes }).execute()
export const setMaxUploadMb = (t: TestApp, megabytes: number) =>
  t.admin.call('PUT', '/api/admin/system-settings', { body: { max_upload_size: megabytes } })

export const uploadForm = (
  client: TestClient,
  parts: Parameters<typeof form>[0],
  query: Record<string, string> = {},
): Promise<TestAnswer> => client.call('POST', '/api/upload', { ...form(parts), query })

/** Expects that the sweep leaves no row and no byte of any upload. */
export async function expectNothingLeft(t: TestApp): Promise<void> {
  await t.ctx.jobs.drain()
  expect(await filesOnDisk(t)).toEqual([])
  expect(await t.ctx.db.selectFrom('files').select('slug').execute()).toEqual([])
}
