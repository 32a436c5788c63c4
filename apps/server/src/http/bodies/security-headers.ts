import type { FastifyReply } from 'fastify'

/** Sets headers for uploaded bytes, which browsers must neither run nor sniff. */
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

/** Trusted Types policies of the web app; the library DOMPurify creates `dompurify`. */
const TRUSTED_TYPES = ['default', 'dropleaf', 'dompurify']

/** Returns a CSP source list for these paths. Its host is a wildcard, because the second policy restricts the host. */
const atPaths = (paths: readonly string[]): string =>
  paths.flatMap((path) => [`http://*:*${path}`, `https://*:*${path}`]).join(' ')

/**
 * Returns the content security policies of our pages. Scripts must come from the app's files. Inline scripts and
 * scripts in shared files, which are on the same host, are not allowed. To restrict both the paths and the host, a
 * single policy would need the name of the host, which the server does not know. So one policy restricts the paths, and
 * a second policy restricts the host. Both apply. Inline styles are allowed, because the component library sets them.
 * Images, media and uploads can use other hosts.
 * @param scripts paths of scripts (including the service worker), and of folders with a trailing slash
 * @param origins to which the page may connect besides this server
 */
export function pagePolicy(
  scripts: readonly string[],
  origins: readonly string[] = ['https:', 'http:'],
): string {
  const paths = [
    "default-src 'self'",
    `script-src ${scripts.length === 0 ? "'none'" : atPaths(scripts)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' blob: https: http:",
    `connect-src ${["'self'", ...origins].join(' ')}`,
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

/** Policy of the worker that derives keys from passwords in WebAssembly. It may connect to nothing. */
export const KEY_WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"

export function pageHeaders(reply: FastifyReply, policy: string): void {
  reply
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'no-referrer')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=()')
}
