import { Agent, request } from 'node:http'

/** The running server under test: `BASE_URL` and the administrator's `ADMIN_PASSWORD`. */
export const baseUrl = process.env.BASE_URL ?? 'http://127.0.0.1:8787'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export interface Answer {
  readonly status: number
  readonly text: string
}

/** One request over kept connections. */
export function call(
  method: string,
  path: string,
  { body, token }: { body?: object; token?: string } = {},
): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, baseUrl), { method, headers, agent }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}

/** Logs in as the administrator. @throws {Error} with the server's answer when that fails. */
export async function logIn(): Promise<string> {
  const answer = await call('POST', '/api/admin/login', {
    body: { username: process.env.ADMIN_USERNAME ?? 'admin', password: process.env.ADMIN_PASSWORD ?? '' },
  })
  if (answer.status !== 200) throw new Error(`The log-in failed; set ADMIN_PASSWORD. ${answer.text}`)
  const parsed = JSON.parse(answer.text) as { data: { token: string } }
  return parsed.data.token
}

/** Value below which `share` of the sorted numbers lie. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? 0
