import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3 } from '@aws-sdk/client-s3'
import { endServer, startServer } from '../../apps/server/src/testing/server-process.ts'
import type { S3Gateway } from '../../packages/storage/src/testing/gateway.setup.ts'
import { bundleServer } from './bundled.ts'
import { send, type Target } from './measure.ts'

const PASSWORD = 'only for the benchmark'

/** As `npm start` has them. */
const NODE_OPTIONS = '--max-semi-space-size=4'
const MALLOC_ARENA_MAX = '2'

/** A key of the API, with every right. */
export interface Key {
  readonly key: string
  /** As a header. */
  readonly headers: { readonly authorization: string }
}

/**
 * The product under test: the server of `BASE_URL` (as `ADMIN_USERNAME` with `ADMIN_PASSWORD`; `SERVER_PID` where it runs on this
 * machine, for its memory and processor time), otherwise one of its own on an empty data folder.
 */
export interface Product extends AsyncDisposable {
  /** With a slash at its end. */
  readonly url: string
  readonly pid: number | null
  readonly token: string
  /** As the administrator. @returns `data` of the answer. @throws {Error} unless it answers with a status of 2xx */
  call<T = unknown>(method: string, path: string, body?: object): Promise<T>
  createKey(): Promise<Key>
}

export type Gateway = Pick<S3Gateway, 'endpointUrl' | 'accessKeyId' | 'secretAccessKey'>

async function openServer(env: Record<string, string>) {
  const { BASE_URL, SERVER_PID, ADMIN_USERNAME = 'admin', ADMIN_PASSWORD = '' } = process.env
  if (BASE_URL !== undefined) {
    const url = BASE_URL.replace(/\/*$/, '/')
    const pid = SERVER_PID === undefined ? null : Number(SERVER_PID)
    return { url, pid, username: ADMIN_USERNAME, password: ADMIN_PASSWORD, close: async () => undefined }
  }
  await bundleServer()
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-bench-'))
  const server = await startServer({
    DATA_DIR: folder,
    ADMIN_PASSWORD: PASSWORD,
    LOG_LEVEL: 'warn',
    NODE_OPTIONS,
    MALLOC_ARENA_MAX,
    ...env,
  })
  return {
    url: server.api.replace(/api$/, ''),
    pid: server.process.pid ?? null,
    username: 'admin',
    password: PASSWORD,
    async close() {
      await endServer(server, 'SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** @param env for a server of its own. */
export async function openProduct(env: Record<string, string> = {}): Promise<Product> {
  const server = await openServer(env)
  const { url, pid, username, password } = server
  const ask = async (method: string, path: string, body?: object, token?: string) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const target: Target = { name: 'Dropleaf', url, headers: authorization }
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const answer = await send(target, method, path, {
      ...(bytes && {
        body: bytes,
        headers: { 'content-type': 'application/json', 'content-length': bytes.length },
      }),
    })
    return (JSON.parse(answer.toString()) as { data: never }).data
  }
  try {
    const { token } = (await ask('POST', 'api/admin/login', { username, password })) as { token: string }
    return {
      url,
      pid,
      token,
      call: (method, path, body) => ask(method, path, body, token),
      async createKey() {
        const rights = { text_permission: true, file_permission: true, mount_permission: true }
        const wanted = { name: `bench ${randomUUID()}`, expires_at: 'never', ...rights }
        const { key } = (await ask('POST', 'api/admin/api-keys', wanted, token)) as { key: string }
        return { key, headers: { authorization: `ApiKey ${key}` } }
      },
      [Symbol.asyncDispose]: () => server.close(),
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

export const directS3 = ({ endpointUrl, accessKeyId, secretAccessKey }: Gateway): S3 =>
  new S3({
    endpoint: endpointUrl,
    region: 'us-east-1',
    forcePathStyle: true,
    // A checksum behind the body would hide its length.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: { accessKeyId, secretAccessKey },
  })

/** Gives the product a new bucket of a gateway, mounted at `path`. @returns the id of the storage. */
export async function addBucket(product: Product, gateway: Gateway, path: string): Promise<string> {
  const bucket = `bench-${randomUUID()}`
  const s3 = directS3(gateway)
  await s3.createBucket({ Bucket: bucket })
  s3.destroy()
  const { id } = await product.call<{ id: string }>('POST', 'api/s3-configs', {
    name: bucket,
    provider_type: 'Other',
    endpoint_url: gateway.endpointUrl,
    bucket_name: bucket,
    access_key_id: gateway.accessKeyId,
    secret_access_key: gateway.secretAccessKey,
    path_style: true,
    is_public: true,
  })
  const mount = { name: bucket, storage_type: 'S3', storage_config_id: id, mount_path: path }
  await product.call('POST', 'api/admin/mounts', mount)
  return id
}
