import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { openClient } from './client.ts'
import { writeObject } from './writing.ts'

/** Options of a client that does not retry. */
const PROBE = { timeoutMs: 30_000, connectTimeoutMs: 30_000, onResponse: () => undefined }
const KEY = parseStorageKey('note.txt')

/**
 * Creates a bucket with one object of the version `one`. Each PUT is answered with 500 and makes `afterPut` the version
 * of the object.
 */
async function openBucket({ afterPut }: { afterPut: string }) {
  let etag = 'one'
  const server = createServer((request, response) => {
    if (request.method === 'PUT') etag = afterPut
    response.writeHead(request.method === 'PUT' ? 500 : 200, { etag: `"${etag}"`, 'content-length': 0 })
    request.resume().on('end', () => response.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = await openClient(
    {
      endpointUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      provider: 'Other',
      bucket: 'bucket',
      region: 'us-east-1',
      pathStyle: true,
      customHost: null,
    },
    PROBE,
  )
  return {
    client,
    [Symbol.dispose]() {
      client.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

test.each([
  { name: 'changed meanwhile', afterPut: 'two', code: 'storage.changed' },
  { name: 'is the same as before', afterPut: 'one', code: 'storage.unavailable' },
])('a conditional write that fails with 500, and the object $name', async ({ afterPut, code }) => {
  using bucket = await openBucket({ afterPut })
  const write = writeObject(bucket.client, KEY, Buffer.from('new'), { ifMatch: 'one' })
  await expect(write).rejects.toMatchObject({ code })
})
