/** Owner of responses that are visible to anyone with the link. */
export const VISITOR = 'visitor'

/**
 * Returns a hash of an `Authorization` header, by which the service worker distinguishes sessions. Requires a secure
 * context.
 */
export async function identityOf(authorization: string | null): Promise<string> {
  if (!authorization) return VISITOR
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(authorization))
  return Array.from(new Uint8Array(digest).subarray(0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
