import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../testing/app.ts'
import { endServer, startServer } from '../../../../testing/server-process.ts'
import {
  proofOf,
  publishText,
  putSealed,
  sealedDraft,
  sealedText,
  type TestSealedBundle,
} from '../../../../testing/sealed.ts'

/** Texts that only holders of the link may see. */
const PLAIN = [
  'PLAINTEXT-MARKER-OF-THE-PAGE',
  'PLAINTEXT-MARKER-OF-A-FILE',
  'a-private-file-name',
  'a private title',
]
/** A text that is not encrypted, to prove that the search finds stored texts. */
const CONTROL = 'CONTROL-MARKER-OF-AN-OPEN-TEXT'
const ADMIN = { username: 'admin', password: 'correct horse battery' }
const POLL_MS = 50

function clientOf(origin: string, authorization: string | null): TestClient {
  return {
    authorization,
    async call(method, path, { body, payload, headers = {}, query } = {}): Promise<TestAnswer> {
      const url = `${origin}${path}${query ? `?${new URLSearchParams(query)}` : ''}`
      const answer = await fetch(url, {
        method,
        headers: {
          ...(authorization === null ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(payload === undefined ? {} : { body: Buffer.from(payload) as BodyInit }),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const text = bytes.toString()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        text,
        bytes,
        body: isJson ? JSON.parse(text) : undefined,
      }
    },
  }
}

/** Starts an HTTP server that receives the traces of the Dropleaf server. */
async function startCollector() {
  const received: Buffer[] = []
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk))
    request.on('end', () => response.end('{}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received, close: () => server.close() }
}

async function filesIn(folder: string): Promise<Array<{ name: string; bytes: Buffer }>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(files.map(async (name) => ({ name, bytes: await readFile(name) })))
}

/** Makes a process write a heap snapshot, and returns it once it is complete. */
async function heapOf(pid: number, folder: string): Promise<Buffer> {
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    const name = (await readdir(folder)).find((file) => file.endsWith('.heapsnapshot'))
    const bytes = name === undefined ? Buffer.alloc(0) : await readFile(join(folder, name))
    if (bytes.subarray(-8).toString().trimEnd().endsWith('}')) return bytes
    await pause(POLL_MS)
  }
}

async function publishMarked(client: TestClient): Promise<TestSealedBundle> {
  const bundle = await sealedDraft(client)
  const bytes = new Uint8Array(Buffer.from(`${PLAIN[1]} `.repeat(5000)))
  const object = await putSealed(client, bundle, { n: 0, bytes })
  const text = await sealedText(bundle, {
    title: PLAIN[3],
    page: { type: 'text/plain', text: `${PLAIN[0]} `.repeat(50) },
    objects: [object],
    items: [{ path: `${PLAIN[2]}.txt`, type: 'text/plain', object: 0, offset: 0, size: object.size }],
  })
  expect((await publishText(client, bundle, { text, objects: [0] })).status).toBe(201)
  return bundle
}

test('nothing that the server stores, logs or sends contains a plain byte, the key or the proof', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-secrecy-'))
  const heapDir = await mkdtemp(join(tmpdir(), 'dropleaf-heap-'))
  const collector = await startCollector()
  const server = await startServer({
    DATA_DIR: dataDir,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${heapDir}`,
  })
  const log: Buffer[] = []
  server.process.stdout?.on('data', (chunk: Buffer) => log.push(chunk))
  try {
    const origin = server.api.replace(/\/api$/, '')
    const visitor = clientOf(origin, null)
    const login = await visitor.call('POST', '/api/admin/login', { body: ADMIN })
    const admin = clientOf(origin, `Bearer ${login.body.data.token}`)
    await admin.call('POST', '/api/paste', { body: { content: CONTROL } })
    const bundle = await publishMarked(admin)
    const opened = await visitor.call('POST', `/api/bundles/${bundle.slug}/open`, {
      body: { device: 'd'.repeat(43), proof: proofOf(bundle) },
    })
    expect(opened.status).toBe(200)
    const { ticket } = opened.body.data
    await visitor.call('GET', `/api/bundles/${bundle.slug}/objects/0`, { query: { ticket } })
    const backup = await admin.call('POST', '/api/admin/backup/export', {
      body: { passphrase: 'a passphrase' },
    })
    const audit = await admin.call('GET', '/api/admin/audit')
    const heap = await heapOf(server.process.pid ?? 0, heapDir)
    // Reads the files before the server stops, because the stop empties the write-ahead log of the database.
    const whileRunning = await filesIn(dataDir)
    await endServer(server, 'SIGTERM')
    const { secret, linkKey } = bundle.share
    const proof = bundle.share.keys.proof
    const secrets = [...PLAIN, Buffer.from(secret), linkKey, Buffer.from(proof), proofOf(bundle)]
    const places = [
      ...whileRunning,
      ...(await filesIn(dataDir)),
      { name: 'log', bytes: Buffer.concat(log) },
      { name: 'traces', bytes: Buffer.concat(collector.received) },
      { name: 'backup', bytes: backup.bytes },
      { name: 'audit log', bytes: audit.bytes },
      { name: 'heap', bytes: heap },
    ]
    const found = places.flatMap(({ name, bytes }) =>
      secrets.filter((one) => bytes.includes(one)).map((one) => [name, one.toString()]),
    )
    expect(found).toEqual([])
    const withControl = places.filter(({ bytes }) => bytes.includes(CONTROL)).map(({ name }) => name)
    expect(withControl).toContainEqual(expect.stringContaining('dropleaf.sqlite'))
    for (const [name, known] of [
      ['log', `/api/bundles/${bundle.slug}/open`],
      ['traces', '/api/bundles/:slug/open'],
      ['backup', bundle.slug],
      ['heap', 'bundle.proof_wrong'],
    ] as const)
      expect([name, places.some((place) => place.name === name && place.bytes.includes(known))]).toEqual([
        name,
        true,
      ])
  } finally {
    server.process.kill('SIGKILL')
    collector.close()
    await rm(dataDir, { recursive: true, force: true })
    await rm(heapDir, { recursive: true, force: true })
  }
})
