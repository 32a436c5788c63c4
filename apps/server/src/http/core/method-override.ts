import type { IncomingMessage } from 'node:http'

const HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const
const METHODS = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Lets a POST request use another method, for clients behind proxies that block that method. Call before routing. */
export function applyMethodOverride(request: Pick<IncomingMessage, 'method' | 'headers'>): void {
  if (request.method !== 'POST') return
  const header = HEADERS.map((name) => request.headers[name]).find((value) => value !== undefined)
  const wanted = String(header ?? '').toUpperCase()
  if (METHODS.has(wanted)) request.method = wanted
}
