import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import {
  endServer,
  executable,
  type ServerProcess,
  startServer,
} from '../../../server/src/testing/server-process.ts'

const MAIN = executable('cli', new URL('../main.ts', import.meta.url))
const PASSWORD = 'correct horse battery'
export const MIB = 1024 ** 2
/** Base path of a server behind a proxy that also serves other apps. */
export const BASE = '/drop'

let folder = ''
export let place = ''
let server: ServerProcess
export let address = ''
export let key = ''

/** Path of the folder in which the server stores its data. */
export const dataFolder = (): string => join(folder, 'data')

/** Starts a server for a test file, and creates an empty folder for each test. */
export function useServer(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dropleaf-cli-'))
    server = await startServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: PASSWORD, BASE_PATH: BASE })
    address = `${new URL(server.api).origin}${BASE}`
    key = await newKey({ text_permission: true, file_permission: true })
  })
  afterAll(async () => {
    await endServer(server, 'SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    place = await mkdtemp(join(folder, 'place-'))
  })
}

/** Creates an empty folder for each test, for commands without a server. */
export function usePlace(): void {
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'dropleaf-cli-'))
  })
  afterEach(() => rm(place, { recursive: true, force: true }))
}

/** Sends a request to the API, as a script would. */
async function ask(
  path: string,
  { method = 'POST', body, token }: { method?: string; body: object; token?: string },
) {
  const answer = await fetch(`${address}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  return ((await answer.json()) as { data: Record<string, string> }).data
}

export async function newKey(permissions: object): Promise<string> {
  const { token = '' } = await ask('/admin/login', { body: { username: 'admin', password: PASSWORD } })
  await ask('/admin/system-settings', { method: 'PUT', body: { max_upload_size: 1000 }, token })
  const name = randomBytes(8).toString('hex')
  const made = await ask('/admin/api-keys', { body: { name, expires_at: 'never', ...permissions }, token })
  return made['key'] ?? ''
}

interface BucketPlace {
  readonly endpointUrl: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Makes a bucket the default storage of the server. */
export async function useBucket(place: BucketPlace): Promise<void> {
  const { token = '' } = await ask('/admin/login', { body: { username: 'admin', password: PASSWORD } })
  const body = {
    name: place.bucket,
    provider_type: 'Other',
    endpoint_url: place.endpointUrl,
    bucket_name: place.bucket,
    access_key_id: place.accessKeyId,
    secret_access_key: place.secretAccessKey,
    path_style: true,
    is_public: true,
    total_storage_bytes: 1024 ** 4,
  }
  const { id = '' } = await ask('/s3-configs', { body, token })
  await ask(`/s3-configs/${id}/set-default`, { method: 'PUT', body: {}, token })
}

interface Told {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Settings {
  readonly input?: string | Buffer
  readonly env?: Record<string, string>
}

export function start(
  args: readonly string[],
  { input, env = {} }: Settings = {},
): { child: ChildProcess; done: Promise<Told> } {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: place,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      XDG_CONFIG_HOME: join(place, 'config'),
      XDG_STATE_HOME: join(place, 'state'),
      DROPLEAF_SERVER: address,
      DROPLEAF_KEY: key,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input ?? '')
  let out = ''
  let err = ''
  // A chunk can end within a character.
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => void (out += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => void (err += chunk))
  const done = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }))
  return { child, done }
}

export const dropleaf = (args: readonly string[], settings?: Settings): Promise<Told> =>
  start(args, settings).done

/** Records a value and returns `false`, so that the proxy forwards the request. */
export function noting<T>(list: T[], what: T): false {
  list.push(what)
  return false
}

export async function inPlace(name: string, bytes: Buffer | string): Promise<string> {
  await writeFile(join(place, name), bytes)
  return name
}
export const bytesOf = (name: string) => readFile(join(place, name))
