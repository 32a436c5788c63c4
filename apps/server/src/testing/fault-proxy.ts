import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers in place of the storage and returns true, or returns false to let the request pass. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean

export interface FaultProxy extends AsyncDisposable {
  readonly url: string
}

/** Sends an S3 error response. */
export function refuse(
  response: ServerResponse,
  { status, code, extra = '' }: { status: number; code: string; extra?: string },
): true {
  response.writeHead(status, { 'content-type': 'application/xml', 'x-amz-request-id': 'test' })
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}.</Message>${extra}</Error>`
  response.end(xml)
  return true
}

/**
 * Starts a proxy that injects the faults of a test into a storage. It passes request headers unchanged, so that
 * signatures stay valid.
 * @param changeHeaders changes the headers of a response
 */
export async function startFaultProxy(
  target: string,
  intercept: Intercept,
  changeHeaders: (headers: Record<string, string | string[] | undefined>) => void = () => undefined,
): Promise<FaultProxy> {
  const { hostname, port } = new URL(target)
  const server = createServer((request, response) => {
    if (intercept(request, response)) return
    const outgoing = httpRequest(
      { host: hostname, port, method: request.method, path: request.url, headers: request.headers },
      (answer) => {
        const headers = { ...answer.headers }
        changeHeaders(headers)
        response.writeHead(answer.statusCode ?? 502, headers)
        answer.pipe(response)
      },
    )
    outgoing.on('error', () => response.destroy())
    request.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
