import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { fetchFile } from './download.ts'

afterEach(() => void vi.useRealTimers())

test('a download on a stalled connection requests the rest automatically', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-silent-'))
  const bytes = randomBytes(3_000_000)
  const ranges: (string | undefined)[] = []
  const server = createServer(({ headers }, response) => {
    ranges.push(headers.range)
    const first = Number(/\d+/.exec(headers.range ?? '')?.[0] ?? 0)
    response.writeHead(first > 0 ? 206 : 200, {
      etag: '"a"',
      'content-length': bytes.length - first,
      ...(first > 0 && { 'content-range': `bytes ${first}-${bytes.length - 1}/${bytes.length}` }),
    })
    // The first connection stays open, but delivers only half of the bytes.
    if (ranges.length === 1) response.write(bytes.subarray(0, bytes.length / 2))
    else response.end(bytes.subarray(first))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = join(folder, 'out.bin')
  await fetchFile({
    saved: {
      source: 'a',
      etag: '"a"',
      sizeBytes: bytes.length,
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      target,
      part: join(folder, 'out.part'),
    },
    requireFree: async () => undefined,
    state: { find: async () => null, keep: async () => undefined, forget: async () => undefined },
    onProgress({ doneBytes }) {
      if (doneBytes === bytes.length / 2) setImmediate(() => vi.advanceTimersByTime(300))
    },
    silenceMs: 300,
  })
  expect(ranges).toEqual([undefined, `bytes=${bytes.length / 2}-`])
  expect((await readFile(target)).equals(bytes)).toBe(true)
  server.close()
  await rm(folder, { recursive: true })
})
