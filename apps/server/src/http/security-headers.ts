import type { FastifyReply } from 'fastify'

/** For bytes that people uploaded: whatever they are, they run nothing and are taken for nothing else. */
export function forbidScripts(reply: FastifyReply): void {
  reply
    .header(
      'content-security-policy',
      "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'",
    )
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-resource-policy', 'cross-origin')
}

/**
 * For pages of our own. Scripts come from us alone, never inline. Styles may be inline (the component library sets them).
 * Pictures, media and uploads may go to storages elsewhere.
 */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https: http:",
  "media-src 'self' blob: https: http:",
  "connect-src 'self' https: http:",
  "frame-src 'self' blob: https: http:",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export function pageHeaders(reply: FastifyReply): void {
  reply
    .header('content-security-policy', PAGE_POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'no-referrer')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=()')
}
