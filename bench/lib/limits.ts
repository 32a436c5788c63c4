import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/storage/src/testing/free-port.ts'
import { createS3Driver, parseStorageKey, type StorageDriver } from '../../packages/storage/src/index.ts'
import type { Target } from './measure.ts'
import { directS3, type Gateway } from './product.ts'

/** One of the HTTP file servers that are compared. */
export interface Side extends Target {
  /** `null` if the server runs on another machine. */
  readonly pid: number | null
  readonly stop: () => Promise<void>
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** How long a server can take to start listening. */
const START_MS = 2000

async function serve(name: string, child: ChildProcess, port: number): Promise<Side> {
  await sleep(START_MS)
  if (child.exitCode !== null) throw new Error(`${name} did not start.`)
  const url = `http://127.0.0.1:${port}/`
  return { name, url, headers: {}, pid: child.pid ?? 0, stop: () => end(child) }
}

async function makeOpenFolder(folder: string): Promise<string> {
  const files = join(folder, 'files')
  await mkdir(files, { recursive: true })
  await chmod(folder, 0o755)
  await chmod(files, 0o777)
  return files
}

/** Starts Apache (Debian's `apache2`) with `mod_dav` on a folder. @returns `null` if Apache is not installed */
export async function startApache(folder: string): Promise<Side | null> {
  if (!existsSync('/usr/sbin/apache2')) return null
  const port = await freePort()
  const files = await makeOpenFolder(folder)
  const modules = ['mpm_event', 'authz_core', 'dav', 'dav_fs']
  const lines = [
    `ServerName localhost`,
    `Listen 127.0.0.1:${port}`,
    `PidFile ${folder}/pid`,
    `ErrorLog ${folder}/error.log`,
    ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    'User www-data',
    'Group www-data',
    `DocumentRoot ${files}`,
    `DavLockDB ${files}/.locks`,
    `<Directory ${files}>`,
    'Require all granted',
    'Dav On',
    'LimitRequestBody 0',
    '</Directory>',
  ]
  await writeFile(join(folder, 'apache.conf'), lines.join('\n'))
  const args = ['-f', join(folder, 'apache.conf'), '-DFOREGROUND']
  return serve('Apache mod_dav', spawn('/usr/sbin/apache2', args, { stdio: 'inherit' }), port)
}

/** Starts nginx (Debian's `nginx-light`) with `PUT` enabled. @returns `null` if nginx is not installed */
export async function startNginx(folder: string): Promise<Side | null> {
  if (!existsSync('/usr/sbin/nginx')) return null
  const port = await freePort()
  const files = await makeOpenFolder(folder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${files}/.${name};`,
  )
  const lines = [
    'user www-data;',
    'worker_processes 2;',
    'daemon off;',
    `pid ${folder}/pid;`,
    `error_log ${folder}/error.log;`,
    'events {}',
    'http {',
    ...temporary,
    'access_log off;',
    'sendfile on;',
    'client_max_body_size 0;',
    'keepalive_requests 1000000;',
    `server { listen 127.0.0.1:${port}; root ${files}; location / { dav_methods PUT MKCOL; create_full_put_path on; } }`,
    '}',
  ]
  await writeFile(join(folder, 'nginx.conf'), lines.join('\n'))
  const args = ['-e', `${folder}/error.log`, '-c', join(folder, 'nginx.conf')]
  return serve('nginx', spawn('/usr/sbin/nginx', args, { stdio: 'inherit' }), port)
}

/** Starts a program of this folder that prints its port. */
export async function startBare(name: string, file: string, env: Record<string, string> = {}): Promise<Side> {
  const child = spawn(process.execPath, [new URL(file, import.meta.url).pathname], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    name,
    url: `http://127.0.0.1:${port.toString().trim()}/`,
    headers: {},
    pid: child.pid ?? 0,
    stop: () => end(child),
  }
}

/** Direct access to a gateway with signed URLs, in its own bucket. */
export interface DirectGateway extends AsyncDisposable {
  /** Options of the S3 driver for the bucket. `bare-forwarder.ts` gets them as JSON in `BUCKET`. */
  readonly bucket: Parameters<typeof createS3Driver>[0]
  readonly put: (key: string) => Promise<string>
  readonly get: (key: string) => Promise<string>
}

const FOR_AN_HOUR = { expiresInSeconds: 3600 }

export async function openDirect(gateway: Gateway): Promise<DirectGateway> {
  const s3 = directS3(gateway)
  await s3.createBucket({ Bucket: 'direct' })
  s3.destroy()
  const bucket = {
    endpointUrl: gateway.endpointUrl,
    accessKeyId: gateway.accessKeyId,
    secretAccessKey: gateway.secretAccessKey,
    provider: 'Other',
    bucket: 'direct',
    region: 'us-east-1',
    pathStyle: true,
    customHost: null,
  } as const
  const driver: StorageDriver = await createS3Driver(bucket)
  return {
    bucket,
    put: (key) => driver.links.put(parseStorageKey(key), FOR_AN_HOUR),
    get: (key) => driver.links.get(parseStorageKey(key), FOR_AN_HOUR),
    [Symbol.asyncDispose]: async () => driver.close(),
  }
}
