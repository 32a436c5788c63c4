import type { FastifyReply } from 'fastify'

/** For uploaded bytes: whatever they are, they run nothing and are not interpreted as another type. */
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

/** Names of the policies by which the web app makes HTML; `dompurify` is that of a library. */
const TRUSTED_TYPES = ['default', 'dropleaf', 'dompurify']

/** Everything below these paths, and nothing else. What CSP calls a host may be any: the second policy says that it is ours. */
const atPaths = (paths: readonly string[]): string =>
  paths.flatMap((path) => [`http://*:*${path}`, `https://*:*${path}`]).join(' ')

/**
 * For pages of our own. Scripts come from the files of the app alone, never inline and never from what people have shared, which
 * lies on the same host. CSP has no word for a path on the own host, whatever that is called: one policy names the paths, another
 * the host, and both have to be kept. Styles may be inline (the component library sets them). Pictures, media and uploads may go
 * to storages elsewhere.
 * @param scripts paths of scripts, of folders with a slash at the end; the service worker is one.
 */
export function pagePolicy(scripts: readonly string[]): string {
  const paths = [
    "default-src 'self'",
    `script-src ${scripts.length === 0 ? "'none'" : atPaths(scripts)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' blob: https: http:",
    "connect-src 'self' https: http:",
    "frame-src 'self' blob: https: http:",
    `worker-src ${scripts.length === 0 ? "'none'" : `${atPaths(scripts)} blob:`}`,
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES.join(' ')}`,
  ]
  const host = ["script-src 'self'", "worker-src 'self' blob:"]
  return [paths, host].map((policy) => policy.join('; ')).join(', ')
}

export function pageHeaders(reply: FastifyReply, policy: string): void {
  reply
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'no-referrer')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=()')
}
