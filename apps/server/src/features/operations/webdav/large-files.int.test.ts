import { spawn } from 'node:child_process'
import { createCipheriv, createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { temporaryBucket } from '@dropleaf/storage/testing'
import { describe, expect, inject, test } from 'vitest'
import { type ServerProcess, startServer } from '../../../testing/server-process.ts'

const { curl } = inject('driveClients')
const MIB = 1024 ** 2
const PASSWORD = 'correct horse battery'
/**
 * Size of the test file by kind of storage. The size is smaller on S3 by default, because a gateway on the same
 * machine takes four times as long.
 */
const SIZE_BYTES = { disk: 2048 * MIB, s3: (process.env.EVERY_PAIR === '1' ? 2048 : 256) * MIB }
const TIMEOUT_MS = 300_000
/**
 * Limits of the server's peak memory, in total and as growth during the test. The server should only hold buffers,
 * whatever the size of the file.
 */
const PEAK_MAX_BYTES = 250 * MIB
const GROWTH_MAX_BYTES = 100 * MIB

const BLANK = Buffer.alloc(MIB)

/** Yields pseudorandom bytes that do not repeat, generated on demand. */
function* noise(sizeBytes: number): Generator<Buffer> {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 'key'), Buffer.alloc(16))
  for (let left = sizeBytes; left > 0; left -= BLANK.length)
    yield cipher.update(BLANK.subarray(0, Math.min(left, BLANK.length)))
}

/** Returns the stream of `noise`, and a hash of the bytes that were read from it. */
function hashedNoise(sizeBytes: number) {
  const hash = createHash('sha256')
  function* look() {
    for (const chunk of noise(sizeBytes)) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { source: Readable.from(look(), { objectMode: false }), hash }
}

async function runCurl(args: readonly string[], input?: Readable) {
  const child = spawn(curl ?? '', ['-sS', '-u', `admin:${PASSWORD}`, '-w', '%{stderr}%{http_code}', ...args])
  const hash = createHash('sha256')
  const [said] = await Promise.all([
    text(child.stderr),
    pipeline(child.stdout, hash),
    input ? pipeline(input, child.stdin) : child.stdin.end(),
  ])
  return { said, sha256: hash.digest('hex') }
}

/** Returns the peak memory of a process in bytes; `null` if the system does not report it. */
async function peakBytes({ process: { pid } }: ServerProcess): Promise<number | null> {
  if (process.platform !== 'linux') return null
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

interface Place extends AsyncDisposable {
  readonly mountPath: string
  /** Lists the objects in the storage. */
  readonly keys: () => Promise<readonly unknown[]>
}

type Post = (path: string, body: object, method?: 'POST' | 'PUT') => Promise<{ id: string; token: string }>

const PLACES = {
  disk: (_post: Post, dataDir: string): Promise<Place> =>
    Promise.resolve({
      mountPath: '/local',
      keys: async () =>
        (await readdir(join(dataDir, 'storage/local'))).filter((name) => !name.startsWith('.dropleaf-')),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
  async s3(post: Post): Promise<Place> {
    const bucket = await temporaryBucket()
    const gateway = inject('s3Gateway')
    const { id } = await post('/s3-configs', {
      name: 'Gateway',
      provider_type: 'Other',
      endpoint_url: gateway?.endpointUrl,
      bucket_name: bucket.bucket,
      access_key_id: gateway?.accessKeyId,
      secret_access_key: gateway?.secretAccessKey,
      path_style: true,
    })
    const mount = { name: 's3', storage_type: 'S3', storage_config_id: id, mount_path: '/s3' }
    await post('/admin/mounts', mount)
    return {
      mountPath: '/s3',
      keys: async () => (await bucket.s3.listObjectsV2({ Bucket: bucket.bucket })).Contents ?? [],
      [Symbol.asyncDispose]: bucket.remove,
    }
  },
}

const clientOf =
  ({ api }: ServerProcess, token: () => string): Post =>
  async (path: string, body: object, method: 'POST' | 'PUT' = 'POST') => {
    const headers = { authorization: `Bearer ${token()}`, 'content-type': 'application/json' }
    const answer = await fetch(api + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string; token: string } }).data
  }

/** Uploads a large file to a drive, downloads it and deletes it. @returns the results, and the memory peaks. */
async function carryLargeFile(kind: keyof typeof PLACES, server: ServerProcess, dataDir: string) {
  let token = ''
  const post = clientOf(server, () => token)
  ;({ token } = await post('/admin/login', { username: 'admin', password: PASSWORD }))
  await post('/admin/system-settings', { max_upload_size: 4096 }, 'PUT')
  await using place = await PLACES[kind](post, dataDir)
  const url = `${server.api.replace(/\/api$/, '/dav')}${place.mountPath}/large.bin`
  const before = await peakBytes(server)
  const { source, hash } = hashedNoise(SIZE_BYTES[kind])
  // Sets the length explicitly, because curl cannot determine the length of data from a pipe.
  const framed = ['-H', `Content-Length: ${SIZE_BYTES[kind]}`, '-H', 'Transfer-Encoding:']
  const put = await runCurl(['-T', '-', ...framed, url], source)
  const sent = hash.digest('hex')
  const got = await runCurl([url])
  const after = await peakBytes(server)
  const removed = await runCurl(['-X', 'DELETE', url])
  const said = [put.said, got.said, removed.said]
  return { said, isSame: got.sha256 === sent, left: await place.keys(), before, after }
}

describe.skipIf(!curl)('a large file passes through the drive, and memory stays flat', () => {
  for (const kind of ['disk', 's3'] as const)
    test.skipIf(kind === 's3' && inject('s3Gateway') === null)(
      `${SIZE_BYTES[kind] / MIB} MiB there and back by curl [${kind}]`,
      { timeout: TIMEOUT_MS },
      async () => {
        const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-large-'))
        const server = await startServer({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD })
        try {
          const { before, after, ...came } = await carryLargeFile(kind, server, dataDir)
          expect(came).toEqual({ said: ['201', '200', '204'], isSame: true, left: [] })
          if (before === null || after === null) {
            console.log('This system tells no peak of memory: that of the server is not looked at.')
            return
          }
          expect(after).toBeLessThan(PEAK_MAX_BYTES)
          expect(after - before).toBeLessThan(GROWTH_MAX_BYTES)
        } finally {
          server.process.kill('SIGTERM')
          await once(server.process, 'exit')
          await rm(dataDir, { recursive: true, force: true })
        }
      },
    )
})
