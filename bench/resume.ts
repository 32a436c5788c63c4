import { type ChildProcess, spawn } from 'node:child_process'
import { createCipheriv, createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { S3 } from '@aws-sdk/client-s3'
import { type ServerProcess, startServer } from '../apps/server/src/testing/server-process.ts'
import { freePort } from '../packages/storage/src/testing/free-port.ts'
import { startGateway } from './lib/gateway.ts'
import { OWN_PASSWORD } from './lib/product.ts'
import { choice, databaseUrl, existing, wholeNumber } from './lib/settings.ts'
import { ownFolder } from './lib/undo.ts'

/**
 * Uploads a large file (`SIZE`, a little over 5 GiB) in parts. `VIA=server` sends the parts through the server,
 * `VIA=signed` to signed URLs. The target is the local disk, or a Ceph gateway with `STORAGE=s3`. Kills the client at
 * 30 % and the server at 60 %. The client resumes with the parts that have not arrived. Finally compares the
 * checksum of a download. `DATABASE_URL` selects an empty PostgreSQL database instead of SQLite. `SCRATCH` is the
 * folder for the data, by default the temporary folder.
 */

const SIZE = wholeNumber('SIZE', 5 * 1024 ** 3 + 6585)
const VIA = choice('VIA', ['server', 'signed'], 'server')
const STORAGE = choice('STORAGE', ['disk', 's3'], 'disk')
const DATABASE = databaseUrl() === undefined ? 'SQLite' : 'PostgreSQL'
const PART_SIZE = 8 * 1024 ** 2
const AT_ONCE = 3
const UPLOAD_LIMIT_MB = 100 * 1024
const CLIENT_DIES_AT = 0.3
const SERVER_DIES_AT = 0.6
const RETRY_MS = 500
const FILE_NAME = 'large.bin'
const SELF = fileURLToPath(import.meta.url)

/**
 * Computes the file's bytes from an offset, without computing the bytes before it. The offset must be a multiple of
 * 16.
 */
function content(offset: number, length: number): Buffer {
  const counter = Buffer.alloc(16)
  counter.writeBigUInt64BE(BigInt(offset / 16), 8)
  return createCipheriv('aes-256-ctr', Buffer.alloc(32), counter).update(Buffer.alloc(length))
}

type Gateway = Awaited<ReturnType<typeof startGateway>>['gateway']

interface Upload {
  readonly uploadId: string
  readonly partCount: number
  readonly presignedUrls: readonly { readonly partNumber: number; readonly url: string }[]
}

/** One line of the client's output. */
interface Said {
  readonly uploadId?: string
  readonly arrived?: number
  readonly of?: number
  readonly again?: string
}

async function call<Data>(api: string, token: string, method: string, path: string, body?: object) {
  const answer = await fetch(api + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  const reply = (await answer.json()) as { data: Data }
  return reply.data
}

/** Sends the parts that the server does not have yet, and prints how many have arrived. */
async function runClient(api: string, token: string, directory: string, givenId: string | null) {
  const uploadId =
    givenId ??
    (
      await call<Upload>(api, token, 'POST', '/fs/multipart/init', {
        path: directory,
        fileName: FILE_NAME,
        fileSize: SIZE,
        partSize: PART_SIZE,
      })
    ).uploadId
  console.log(JSON.stringify({ uploadId }))
  for (;;) {
    try {
      const query = `/fs/multipart/parts?uploadId=${encodeURIComponent(uploadId)}`
      const state = await call<
        Upload & { parts: { partNumber: number }[]; partSize: number; isCompleted: boolean }
      >(api, token, 'GET', query)
      const arrived = new Set(state.parts.map(({ partNumber }) => partNumber))
      const missing = Array.from({ length: state.partCount }, (_, index) => index + 1).filter(
        (number) => !arrived.has(number),
      )
      console.log(JSON.stringify({ arrived: arrived.size, of: state.partCount }))
      const queue = missing.values()
      let count = arrived.size
      const worker = async () => {
        for (const number of queue) {
          const start = (number - 1) * state.partSize
          const signed = state.presignedUrls.find(({ partNumber }) => partNumber === number)?.url
          const answer = await fetch(
            VIA === 'signed' && signed !== undefined
              ? signed
              : `${api}/fs/multipart/part?uploadId=${encodeURIComponent(uploadId)}&partNumber=${number}`,
            {
              method: 'PUT',
              ...(VIA === 'server' ? { headers: { authorization: `Bearer ${token}` } } : {}),
              body: new Uint8Array(content(start, Math.min(state.partSize, SIZE - start))),
            },
          )
          if (!answer.ok) throw new Error(`part ${number}: ${answer.status} ${await answer.text()}`)
          await answer.arrayBuffer()
          count += 1
          console.log(JSON.stringify({ arrived: count, of: state.partCount }))
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
      await call(api, token, 'POST', '/fs/multipart/complete', { uploadId })
      return
    } catch (error) {
      console.log(JSON.stringify({ again: error instanceof Error ? error.message : 'unknown' }))
      await sleep(RETRY_MS)
    }
  }
}

/** Returns the peak memory of a process, in kB. */
async function peakMemory({ process: child }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1])
}

async function makeBucket(endpoint: string, credentials: { accessKeyId: string; secretAccessKey: string }) {
  const bucket = `bench-${randomUUID()}`
  await new S3({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials }).createBucket({
    Bucket: bucket,
  })
  return bucket
}

async function checksum(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

function* wholeContent() {
  for (let offset = 0; offset < SIZE; offset += PART_SIZE)
    yield content(offset, Math.min(PART_SIZE, SIZE - offset))
}

/** Returns the folder for the upload. It is in a bucket, or on the local disk, which a new installation mounts. */
async function openDirectory(api: string, token: string, gateway: Gateway | null): Promise<string> {
  if (gateway === null) {
    const mounts = await call<{ mount_path: string }[]>(api, token, 'GET', '/admin/mounts')
    return mounts[0]?.mount_path ?? '/'
  }
  const { endpointUrl, accessKeyId, secretAccessKey } = gateway
  const config = await call<{ id: string }>(api, token, 'POST', '/s3-configs', {
    name: 'Gateway',
    provider_type: 'Other',
    endpoint_url: endpointUrl,
    bucket_name: await makeBucket(endpointUrl, { accessKeyId, secretAccessKey }),
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
    path_style: true,
    total_storage_bytes: 1024 ** 4,
  })
  const directory = '/gateway'
  await call(api, token, 'POST', '/admin/mounts', {
    name: 'gateway',
    storage_type: 'S3',
    storage_config_id: config.id,
    mount_path: directory,
  })
  return directory
}

/** An upload during which the client and the server are killed. */
class KilledUpload {
  readonly #env: Record<string, string>
  server: ServerProcess
  readonly peaks: number[] = []
  sent = 0
  #uploadId: string | null = null
  #killed: 'nobody' | 'client' | 'server' = 'nobody'

  constructor(server: ServerProcess, env: Record<string, string>) {
    this.server = server
    this.#env = env
  }

  /** Restarts the client until it has sent everything. */
  async run(token: string, directory: string): Promise<void> {
    for (let isDone = false; !isDone;) {
      const task = JSON.stringify([this.server.api, token, directory, this.#uploadId])
      const client = spawn(process.execPath, [SELF], {
        env: { ...process.env, CLIENT: task },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const gone = once(client, 'exit')
      for await (const line of createInterface(client.stdout))
        await this.#hear(JSON.parse(line) as Said, client)
      const [code] = (await gone) as [number | null]
      isDone = code === 0
    }
  }

  async #hear(said: Said, client: ChildProcess): Promise<void> {
    this.#uploadId = said.uploadId ?? this.#uploadId
    if (said.again !== undefined) console.log(`  client: ${said.again}`)
    if (said.arrived === undefined || said.of === undefined) return
    this.sent += 1
    const share = said.arrived / said.of
    if (this.#killed === 'nobody' && share >= CLIENT_DIES_AT) {
      this.#killed = 'client'
      client.kill('SIGKILL')
      console.log(`  client killed with ${said.arrived} of ${said.of} parts`)
    } else if (this.#killed === 'client' && share >= SERVER_DIES_AT) {
      this.#killed = 'server'
      this.peaks.push(await peakMemory(this.server))
      const serverGone = once(this.server.process, 'exit')
      this.server.process.kill('SIGKILL')
      await serverGone
      console.log(`  server killed with ${said.arrived} of ${said.of} parts`)
      this.server = await startServer(this.#env)
    }
  }
}

async function measure() {
  const { path: dataDir } = ownFolder(existing('SCRATCH', undefined))
  const ceph = STORAGE === 's3' ? await startGateway() : null
  const env = {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    ADMIN_PASSWORD: OWN_PASSWORD,
  }
  const upload = new KilledUpload(await startServer(env), env)
  const { api } = upload.server
  try {
    const { token } = await call<{ token: string }>(api, '', 'POST', '/admin/login', {
      username: 'admin',
      password: OWN_PASSWORD,
    })
    await call(api, token, 'PUT', '/admin/system-settings', { max_upload_size: UPLOAD_LIMIT_MB })
    const directory = await openDirectory(api, token, ceph?.gateway ?? null)
    const startedAt = performance.now()
    await upload.run(token, directory)
    const seconds = (performance.now() - startedAt) / 1000
    const download = await fetch(
      `${upload.server.api}/fs/download?path=${encodeURIComponent(`${directory}/${FILE_NAME}`)}`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    if (!download.ok || download.body === null) throw new Error(`download: ${download.status}`)
    const [expected, actual] = [await checksum(wholeContent()), await checksum(download.body)]
    const peaks = [...upload.peaks, await peakMemory(upload.server)]
    console.log(
      `${STORAGE}, ${VIA}, ${DATABASE}: ${SIZE} bytes in ${seconds.toFixed(1)} s, ` +
        `${upload.sent} messages of progress, checksums ${expected === actual ? 'equal' : 'DIFFER'}, server's peak ${peaks.join(' and ')} kB`,
    )
    if (expected !== actual) process.exitCode = 1
  } finally {
    upload.server.process.kill('SIGKILL')
    await ceph?.stop()
  }
}

if (process.env.CLIENT === undefined) await measure()
else {
  const [api, token, directory, uploadId] = JSON.parse(process.env.CLIENT) as [
    string,
    string,
    string,
    string | null,
  ]
  await runClient(api, token, directory, uploadId)
}
