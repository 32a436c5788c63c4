import type { TestAnswer, TestClient } from './app.ts'
import { form } from './files.ts'

/** Stores a file at a path by a raw PUT, and throws if the upload fails. */
export async function putFile(client: TestClient, path: string, bytes: string | Buffer = `bytes of ${path}`) {
  const answer = await putRaw(client, path, bytes)
  if (answer.status !== 200) throw new Error(`The upload failed: ${answer.text}`)
  return answer.body.data
}

/** Stores a file at a path and shares it without copying it. @returns the link suffix of the share */
export async function shareInPlace(
  client: TestClient,
  path: string,
  bytes: string | Buffer = `bytes of ${path}`,
): Promise<string> {
  await putFile(client, path, bytes)
  const answer = await client.call('POST', '/api/fs/share', { body: { path } })
  if (answer.status !== 201) throw new Error(`The file was not shared: ${answer.text}`)
  return answer.body.data.slug
}

/** Stores a file as {@link putFile} does, but returns the response even if it is an error. */
export const putRaw = (client: TestClient, path: string, bytes: string | Buffer): Promise<TestAnswer> =>
  client.call('PUT', '/api/fs/upload', {
    payload: bytes,
    query: { path },
    headers: { 'content-type': 'application/octet-stream' },
  })

/** Sends an upload form to a folder. */
export const sendForm = (
  client: TestClient,
  path: string,
  {
    filename,
    bytes,
    fields = {},
  }: { filename: string; bytes: string | Buffer; fields?: Record<string, string> },
): Promise<TestAnswer> =>
  client.call(
    'POST',
    '/api/fs/upload',
    form([
      ...Object.entries({ path, ...fields }).map(([name, value]) => ({ name, value })),
      { name: 'file', value: bytes, filename },
    ]),
  )

export const getEntry = (client: TestClient, path: string): Promise<TestAnswer> =>
  client.call('GET', '/api/fs/get', { query: { path } })

export const download = (
  client: TestClient,
  path: string,
  headers: Record<string, string> = {},
): Promise<TestAnswer> => client.call('GET', '/api/fs/download', { query: { path }, headers })

/** Paths below a usable mount that no call may accept. */
export const hostilePaths = (base: string): string[] => [
  `${base}/../x`,
  `${base}/a/../../x`,
  `${base}/.`,
  `${base}/./a`,
  `${base}//a`,
  `${base}/%2e%2e/x`,
  `${base}/%2E%2E%2Fx`,
  `${base}/a%2f%2e%2e%2fx`,
  `${base}/a%00b`,
  `${base}/a\u0000b`,
  `${base}/a\\..\\x`,
  `${base}/a\nb`,
  `${base}/.dropleaf-tmp/x`,
  `${base}/.DROPLEAF-uploads`,
  `${base}/${'a'.repeat(300)}`,
  `${base}/${'a/'.repeat(900)}b`,
]

/** Sends a PUT to a signed URL of this server or of an external storage. */
export async function putSigned(
  client: TestClient,
  url: string,
  bytes: string | Buffer,
): Promise<{ status: number; etag: string | null }> {
  const { pathname, search } = new URL(url)
  if (!pathname.startsWith('/api/storage/')) {
    const response = await fetch(url, { method: 'PUT', body: new Uint8Array(Buffer.from(bytes)) })
    await response.arrayBuffer()
    return { status: response.status, etag: response.headers.get('etag') }
  }
  const answer = await client.call('PUT', pathname + search, {
    payload: bytes,
    headers: { 'content-type': 'application/octet-stream' },
  })
  return { status: answer.status, etag: answer.headers.etag ?? null }
}

export function cut(bytes: Buffer, partSize: number): Buffer[] {
  const parts: Buffer[] = []
  for (let from = 0; from < Math.max(1, bytes.length); from += partSize)
    parts.push(bytes.subarray(from, from + partSize))
  return parts
}

/** Adds a second storage on the local disk, mounted at `/second`. */
export async function mountSecondDisk(admin: TestClient): Promise<void> {
  const second = await admin.call('POST', '/api/s3-configs', {
    body: { name: 'Second', provider_type: 'Local disk', bucket_name: 'second', is_public: true },
  })
  await admin.call('POST', '/api/admin/mounts', {
    body: {
      name: 'Second',
      storage_type: 'S3',
      storage_config_id: second.body.data.id,
      mount_path: '/second',
    },
  })
}
