import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3 } from '@aws-sdk/client-s3'
import { endServer, startServer } from '../../apps/server/src/testing/server-process.ts'
import type { S3Gateway } from '../../packages/storage/src/testing/gateway.setup.ts'
import { bundleServer } from './bundled.ts'
import { AnswerError, send, type Target } from './measure.ts'
import { databaseUrl, runningProcess, webAddress, word } from './settings.ts'
import { ownFolder, refuse, undoing } from './undo.ts'

export const OWN_PASSWORD = 'only for the benchmark'

const KEY_LIVES_MS = 12 * 3_600_000
const POLL_MS = 200
const SETTLE_MS = 500

/** An API key with every permission. */
export interface Key {
  readonly key: string
  /** The API key as a request header. */
  readonly headers: { readonly authorization: string }
}

/**
 * The product under test. It exists until it is disposed or the program is stopped.
 * - With `BASE_URL`: the server at that URL, with the login `ADMIN_USERNAME` and `ADMIN_PASSWORD`. If the server runs
 *   on this machine, `SERVER_PID` allows measuring its memory and processor time. Everything created there is deleted.
 * - Without `BASE_URL`: a new server on an empty data folder, both removed at the end.
 */
export interface Product extends AsyncDisposable {
  /** The server's URL, with a trailing slash. */
  readonly url: string
  readonly pid: number | null
  readonly token: string
  /**
   * Calls the API as the administrator. @returns `data` of the reply. @throws {AnswerError} unless the status is 2xx
   */
  call<T = unknown>(method: string, path: string, body?: object): Promise<T>
  /** Creates an API key that is valid for half a day. The key and all its texts and files are deleted at the end. */
  createKey(): Promise<Key>
  /** @returns a prefix for custom links. All texts with that prefix are deleted at the end. */
  textPrefix(): string
  /**
   * @returns a new folder, such as `/local/bench-…`, on a mount that API keys can use. The folder is deleted at the
   * end.
   */
  makeFolder(): Promise<string>
  /** Raises the upload limit to at least this size. */
  allowFilesOf(sizeBytes: number): Promise<void>
  /**
   * Registers a cleanup step for anything else. Cleanup steps run only with `BASE_URL`, because a new server is removed
   * whole.
   */
  undo(step: () => Promise<unknown>): void
}

export type Gateway = Pick<S3Gateway, 'endpointUrl' | 'accessKeyId' | 'secretAccessKey'>

export const baseUrl = () => webAddress('BASE_URL')

async function openServer(env: Record<string, string>) {
  const given = baseUrl()
  if (given !== undefined) {
    const url = given.replace(/\/*$/, '/')
    const pid = runningProcess('SERVER_PID')
    const username = word('ADMIN_USERNAME', 'admin')
    return { url, pid, username, password: process.env.ADMIN_PASSWORD ?? '', close: null }
  }
  databaseUrl()
  await bundleServer()
  const folder = ownFolder()
  const server = await startServer({
    DATA_DIR: folder.path,
    ADMIN_PASSWORD: OWN_PASSWORD,
    LOG_LEVEL: 'warn',
    ...env,
  })
  return {
    url: server.api.replace(/api$/, ''),
    pid: server.process.pid ?? null,
    username: 'admin',
    password: OWN_PASSWORD,
    async close() {
      await endServer(server, 'SIGTERM')
      folder[Symbol.dispose]()
    },
  }
}

type Ask = (method: string, path: string, body?: object) => Promise<never>

/** Sends JSON requests with these headers. */
const asker =
  (url: string, headers: Target['headers']): Ask =>
  async (method, path, body) => {
    const target: Target = { name: 'Dropleaf', url, headers }
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const answer = await send(target, method, path, {
      ...(bytes && {
        body: bytes,
        headers: { 'content-type': 'application/json', 'content-length': bytes.length },
      }),
    })
    return (JSON.parse(answer.toString()) as { data: never }).data
  }

/** Logs in. If the login fails on a server given by `BASE_URL`, ends the program with a one-line message. */
async function login(server: Awaited<ReturnType<typeof openServer>>): Promise<string> {
  const { url, username, password } = server
  try {
    const { token }: { token: string } = await asker(url, {})('POST', 'api/admin/login', {
      username,
      password,
    })
    return token
  } catch (error) {
    await server.close?.()
    if (server.close !== null) throw error
    if (!(error instanceof AnswerError))
      refuse(
        `BASE_URL is ${url}, but no Dropleaf answers there: ${(error as Error).message || String((error as { code?: string }).code)}.`,
      )
    if (error.status === 401 || error.status === 400)
      refuse(
        `ADMIN_PASSWORD must be the password of ${username} (ADMIN_USERNAME) on ${url}, which refuses it.`,
      )
    return refuse(`BASE_URL is ${url}, but the login there failed: ${error.message}`)
  }
}

/** Waits until a task has completed, then deletes it. @throws {Error} if the task ends otherwise */
async function settleTask(call: Ask, id: string): Promise<void> {
  for (;;) {
    const { state, error }: { state: string; error: unknown } = await call('GET', `api/tasks/${id}`)
    if (state === 'completed') break
    if (state !== 'pending' && state !== 'running')
      throw new Error(`A deletion is ${state}: ${JSON.stringify(error)}`)
    await sleep(POLL_MS)
  }
  await call('DELETE', `api/tasks/${id}`)
}

/** Repeats the deletion until nothing matches, because running work can add shares after the first deletion. */
async function deleteMatching(
  call: Ask,
  kind: 'pastes' | 'files',
  filter: { created_by: string } | { search: string },
): Promise<void> {
  for (;;) {
    const begun: { task_id: string; matching: number } = await call(
      'POST',
      `api/admin/${kind}/delete-matching`,
      filter,
    )
    await settleTask(call, begun.task_id)
    if (begun.matching === 0) return
  }
}

async function removeFolder(call: Ask, path: string): Promise<void> {
  const removed: { failed: readonly object[]; task?: { id: string } } = await call(
    'DELETE',
    'api/fs/batch-remove',
    // The trailing slash restricts the deletion to folders.
    { paths: [`${path}/`] },
  )
  if (removed.task) await settleTask(call, removed.task.id)
  if (removed.failed.length > 0) throw new Error(`${path}: ${JSON.stringify(removed.failed[0])}`)
}

/** Deletes the tasks that an API key has created. */
async function forgetTasks(call: Ask, keyId: string): Promise<void> {
  const { tasks }: { tasks: readonly { id: string; created_by: string }[] } = await call('GET', 'api/tasks')
  for (const { id, created_by: creator } of tasks)
    if (creator === `apikey:${keyId}`) await call('DELETE', `api/tasks/${id}`)
}

interface Mount {
  readonly id: string
  readonly mount_path: string
  readonly is_active: number
  readonly storage_config_id: string | null
}

async function openMount(call: Ask, url: string): Promise<string> {
  const mounts: readonly Mount[] = await call('GET', 'api/admin/mounts')
  const configs: readonly { id: string; is_public: number }[] = await call('GET', 'api/s3-configs')
  const open = new Set(configs.filter(({ is_public: isPublic }) => isPublic).map(({ id }) => id))
  const mount = mounts.find((one) => one.is_active && open.has(one.storage_config_id ?? ''))
  return mount?.mount_path ?? refuse(`BASE_URL is ${url}, but no mount there is open to API keys.`)
}

/** @param env environment of a new server */
export async function openProduct(env: Record<string, string> = {}): Promise<Product> {
  const server = await openServer(env)
  const { url, pid } = server
  const token = await login(server)
  const call = asker(url, { authorization: `Bearer ${token}` })
  const keyIds: string[] = []
  const steps: (() => Promise<unknown>)[] = []
  const attempt = (step: () => Promise<unknown>) =>
    step().catch((error: unknown) => {
      console.error(`On ${url} some data could not be removed: ${(error as Error).message}`)
      process.exitCode = 1
    })
  const undoFar = async () => {
    for (const id of keyIds) await attempt(() => call('DELETE', `api/admin/api-keys/${id}`))
    // Waits for work that was still running when its API key was deleted.
    if (keyIds.length > 0) await sleep(SETTLE_MS)
    for (const step of steps.toReversed()) await attempt(step)
    await attempt(() => call('POST', 'api/admin/logout'))
  }
  const close = server.close ?? undoing(undoFar)
  const undo: Product['undo'] = (step) => void steps.push(step)
  return {
    url,
    pid,
    token,
    call,
    undo,
    async createKey() {
      const rights = { text_permission: true, file_permission: true, mount_permission: true }
      const expires = new Date(Date.now() + KEY_LIVES_MS).toISOString()
      const wanted = { name: `bench ${randomUUID()}`, expires_at: expires, ...rights }
      const { id, key }: { id: string; key: string } = await call('POST', 'api/admin/api-keys', wanted)
      keyIds.push(id)
      undo(() => forgetTasks(call, id))
      for (const kind of ['pastes', 'files'] as const)
        undo(() => deleteMatching(call, kind, { created_by: `apikey:${id}` }))
      return { key, headers: { authorization: `ApiKey ${key}` } }
    },
    textPrefix() {
      const prefix = `bench-${randomUUID().slice(0, 18)}-`
      undo(() => deleteMatching(call, 'pastes', { search: prefix }))
      return prefix
    },
    async makeFolder() {
      const path = `${await openMount(call, url)}/bench-${randomUUID()}`
      undo(() => removeFolder(call, path))
      await call('POST', 'api/fs/mkdir', { path })
      return path
    },
    async allowFilesOf(sizeBytes) {
      const { max_upload_size: before }: { max_upload_size: number } = await call(
        'GET',
        'api/system/max-upload-size',
      )
      const neededMb = Math.ceil(sizeBytes / 1024 ** 2)
      if (before >= neededMb) return
      const set = (mb: number) => call('PUT', 'api/admin/system-settings', { max_upload_size: mb })
      undo(() => set(before))
      await set(neededMb)
    },
    [Symbol.asyncDispose]: close,
  }
}

export const directS3 = ({ endpointUrl, accessKeyId, secretAccessKey }: Gateway): S3 =>
  new S3({
    endpoint: endpointUrl,
    region: 'us-east-1',
    forcePathStyle: true,
    // Without this setting, the SDK would send a checksum after the body and omit the length of the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: { accessKeyId, secretAccessKey },
  })

export async function emptyBucket(s3: S3, bucket: string): Promise<void> {
  for (;;) {
    const { Contents = [] } = await s3.listObjectsV2({ Bucket: bucket })
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]))
    if (Objects.length === 0) return
    await s3.deleteObjects({ Bucket: bucket, Delete: { Objects, Quiet: true } })
  }
}

/**
 * Capacity of the storage. It is larger than every measured file, because the default capacity would be too small.
 */
const CAPACITY_BYTES = 1024 ** 4

interface MountedBucket {
  readonly storageId: string
  readonly mountPath: string
  readonly bucket: string
}

/**
 * Adds a new bucket of a gateway to the product and mounts the bucket.
 * @param endpointUrl URL at which the product and browsers reach the gateway, if it differs
 */
export async function addBucket(
  product: Product,
  gateway: Gateway,
  endpointUrl = gateway.endpointUrl,
): Promise<MountedBucket> {
  const bucket = `bench-${randomUUID()}`
  const s3 = directS3(gateway)
  await s3.createBucket({ Bucket: bucket })
  s3.destroy()
  return mountBucket(product, { ...gateway, endpointUrl }, { bucket, name: bucket })
}

/** Adds a bucket of a gateway to the product and mounts it below `/` under `name`. */
export async function mountBucket(
  product: Product,
  gateway: Gateway,
  { bucket, name }: { bucket: string; name: string },
): Promise<MountedBucket> {
  const mountPath = `/${name}`
  const { id } = await product.call<{ id: string }>('POST', 'api/s3-configs', {
    name,
    provider_type: 'Other',
    endpoint_url: gateway.endpointUrl,
    bucket_name: bucket,
    access_key_id: gateway.accessKeyId,
    secret_access_key: gateway.secretAccessKey,
    path_style: true,
    is_public: true,
    total_storage_bytes: CAPACITY_BYTES,
  })
  product.undo(() => product.call('DELETE', `api/s3-configs/${id}`))
  const mount = { name, storage_type: 'S3', storage_config_id: id, mount_path: mountPath }
  const made = await product.call<{ id: string }>('POST', 'api/admin/mounts', mount)
  product.undo(() => product.call('DELETE', `api/admin/mounts/${made.id}`))
  return { storageId: id, mountPath, bucket }
}
