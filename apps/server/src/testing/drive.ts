import type { AddressInfo } from 'node:net'
import type { TestApp } from './app.ts'
import type { StorageTestApp } from './storages.ts'

export interface DriveAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface DriveCall {
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

/** A WebDAV client with one user's credentials. */
export interface Drive {
  /** @param path URL path below `/dav`, already escaped */
  call(method: string, path: string, o?: DriveCall): Promise<DriveAnswer>
}

/** Makes the application listen. @returns the URL of the drive, without a trailing slash */
export async function listen(t: TestApp): Promise<string> {
  if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}/dav`
}

export const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

/** @param authorization `null` for requests without credentials */
export function driveAt(url: string, authorization: string | null): Drive {
  return {
    async call(method, path, { headers = {}, body } = {}) {
      const answer = await fetch(url + path, {
        method,
        headers: { ...(authorization === null ? {} : { authorization }), ...headers },
        redirect: 'manual',
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    },
  }
}

export interface LockOptions {
  readonly depth?: '0' | 'infinity'
  readonly scope?: 'exclusive' | 'shared'
  readonly timeout?: string
  readonly headers?: Record<string, string>
}

/** Creates a lock. @returns the response, and the token with its brackets */
export async function lockAt(
  drive: Drive,
  path: string,
  { depth = '0', scope = 'exclusive', timeout, headers = {} }: LockOptions = {},
): Promise<DriveAnswer & { token: string }> {
  const answer = await drive.call('LOCK', path, {
    headers: { depth, 'content-type': 'application/xml', ...(timeout ? { timeout } : {}), ...headers },
    body: `<?xml version="1.0"?><lockinfo xmlns="DAV:"><lockscope><${scope}/></lockscope><locktype><write/></locktype><owner><href>test</href></owner></lockinfo>`,
  })
  return { ...answer, token: answer.headers.get('lock-token') ?? '' }
}

/** Returns the `href` values in a response. */
export const hrefsIn = (text: string): Array<string | undefined> =>
  [...text.matchAll(/<D:href>([^<]*)<\/D:href>/g)].map(([, href]) => href)

/** Mounts the storage of a test at an additional path. */
export async function mountAlso({ admin, storage }: StorageTestApp, mountPath: string): Promise<void> {
  const body = {
    name: mountPath,
    storage_type: 'S3',
    storage_config_id: storage.configId,
    mount_path: mountPath,
  }
  const { status } = await admin.call('POST', '/api/admin/mounts', { body })
  if (status !== 201) throw new Error(`${mountPath} was not mounted: ${status}`)
}
