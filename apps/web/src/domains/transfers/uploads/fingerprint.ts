import { MIB } from '@dropleaf/contract'

/**
 * Number of bytes to hash at each end of a file: the size of a part in most storages. The Web Crypto API needs all
 * hashed bytes in memory, so files are not hashed as a whole.
 */
const EDGE_BYTES = 5 * MIB

async function hashOf(bytes: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer())
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Returns the SHA-256 of the first 5 MiB of a file, and of its last 5 MiB or what is left after the first. The time
 * does not grow with the size of a large file.
 * @returns `null` in insecure contexts, which have no Web Crypto API
 */
export async function fingerprintOf(file: Blob): Promise<string | null> {
  if ((crypto.subtle as SubtleCrypto | undefined) === undefined) return null
  const edges = [file.slice(0, EDGE_BYTES), file.slice(Math.max(EDGE_BYTES, file.size - EDGE_BYTES))]
  return (await Promise.all(edges.map(hashOf))).join('-')
}
