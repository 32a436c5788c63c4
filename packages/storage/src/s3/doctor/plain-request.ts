import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

export interface PlainAnswer {
  status: number
  /** Header names are in lower case. */
  headers: Record<string, string>
  /** The start of the body. */
  body: string
}

interface PlainCall {
  method: 'GET' | 'PUT' | 'OPTIONS'
  headers?: Record<string, string>
  body?: Buffer
  signal: AbortSignal
}

const BODY_MAX_BYTES = 4096

/**
 * Sends a request without adding a signature and without following redirects. Resolves with the response of any status
 * and the start of its body. Rejects with network errors and with the reason of `signal`.
 */
export function plainRequest(url: string, o: PlainCall): Promise<PlainAnswer> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const headers = { ...o.headers, ...(o.body && { 'content-length': String(o.body.length) }) }
    const outgoing = send(url, { method: o.method, headers, signal: o.signal, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      let sizeBytes = 0
      const finish = () => {
        const all = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
        const body = Buffer.concat(chunks).toString('utf8').slice(0, BODY_MAX_BYTES)
        resolve({ status: incoming.statusCode ?? 0, headers: Object.fromEntries(all), body })
        incoming.destroy()
      }
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        sizeBytes += chunk.length
        if (sizeBytes >= BODY_MAX_BYTES) finish()
      })
      incoming.on('end', finish)
      incoming.on('error', reject)
    })
    outgoing.on('error', (error) => reject(o.signal.aborted ? (o.signal.reason as Error) : error))
    outgoing.end(o.body)
  })
}

/**
 * Whether the response shows that the server speaks S3: by an error or listing in XML, or by a header with a vendor's
 * prefix.
 */
export function speaksS3({ headers, body }: PlainAnswer): boolean {
  const hasMark = Object.keys(headers).some((name) => /^x-(?:amz|oss|rgw|minio)-/.test(name))
  return hasMark || /^\s*<\?xml[^>]*>\s*<(?:Error|List\w+)|^\s*<(?:Error|List\w+Result)\b/.test(body)
}
