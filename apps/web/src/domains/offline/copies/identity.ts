/** Whose answers they are that anybody with the link may see. */
export const VISITOR = 'visitor'

/**
 * A name for whoever sends this `Authorization` header. The service worker sees nothing else of a session.
 * Only pages over https, or of this machine, can tell.
 */
export async function identityOf(authorization: string | null): Promise<string> {
  if (!authorization) return VISITOR
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(authorization))
  return Array.from(new Uint8Array(digest).subarray(0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
