/** Owner of responses that everyone with the link can see. */
export const VISITOR = 'visitor'

/**
 * Returns a hash of an `Authorization` header, or {@link VISITOR} without a header. The service worker distinguishes
 * sessions by this hash. Requires a secure context.
 */
export async function identityOf(authorization: string | null): Promise<string> {
  if (!authorization) return VISITOR
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(authorization))
  return Array.from(new Uint8Array(digest).subarray(0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
