import type { FastifyRequest } from 'fastify'

/** Where people reach us: the configured address, else what the request says (`X-Forwarded-Proto` and `Host`). */
export function originOf(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '')
  const forwarded = String(request.headers['x-forwarded-proto'] ?? '')
    .split(',')[0]
    ?.trim()
  const protocol = forwarded === 'https' || forwarded === 'http' ? forwarded : request.protocol
  return `${protocol}://${request.headers.host ?? request.hostname}`
}

/** A signed address of our own is a path; those of S3 are whole. */
export const absoluteUrl = (origin: string, address: string): string =>
  address.startsWith('/') ? `${origin}${address}` : address
