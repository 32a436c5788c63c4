import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createS3Driver, parseStorageKey } from '../../packages/storage/src/index.ts'

/**
 * The minimum that a Node.js server does between a client and a bucket. It stores small files by `PUT`, without names,
 * permissions or a database, and does nothing on other requests. `webdav.ts` compares the network drive with this
 * server. Reads the bucket as JSON from `BUCKET`, and prints its port.
 */

const driver = await createS3Driver(
  JSON.parse(process.env.BUCKET ?? '{}') as Parameters<typeof createS3Driver>[0],
)

const server = createServer((request, response) => {
  void (async () => {
    const bytes = await buffer(request)
    if (request.method === 'PUT') await driver.write(parseStorageKey((request.url ?? '').slice(1)), bytes)
    response.writeHead(201).end()
  })()
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
