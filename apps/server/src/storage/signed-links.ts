import type { PresignedLinks } from '@dropleaf/storage'
import type { Clock } from '../lib/clock.ts'
import type { Secrets } from '../lib/secrets.ts'

/** What a signed address of the local disk allows. All of it is under the signature. */
export interface SignedGrant {
  readonly method: 'GET' | 'PUT'
  readonly configId: string
  readonly key: string
  /** Epoch seconds. */
  readonly expiresAt: number
  readonly maxBytes: number | null
  readonly contentType: string | null
  readonly contentDisposition: string | null
}

/** The query of a signed address as it arrives. */
export interface SignedQuery {
  readonly expires: string
  readonly signature: string
  readonly max?: string | undefined
  readonly type?: string | undefined
  readonly disposition?: string | undefined
}

const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/')

function statement(grant: SignedGrant): string {
  return JSON.stringify([
    'storage-link',
    grant.method,
    grant.configId,
    grant.key,
    grant.expiresAt,
    grant.maxBytes,
    grant.contentType,
    grant.contentDisposition,
  ])
}

function addressOf(grant: SignedGrant, secrets: Secrets): string {
  const query = new URLSearchParams({ expires: String(grant.expiresAt) })
  if (grant.maxBytes !== null) query.set('max', String(grant.maxBytes))
  if (grant.contentType !== null) query.set('type', grant.contentType)
  if (grant.contentDisposition !== null) query.set('disposition', grant.contentDisposition)
  query.set('signature', secrets.sign(statement(grant)))
  return `/api/storage/${encodeURIComponent(grant.configId)}/${encodeKey(grant.key)}?${query.toString()}`
}

/** Reads a grant back from an address, or `null` when the signature does not fit it. Expiry is the caller's to check. */
export function openSignedLink(
  secrets: Secrets,
  target: { method: 'GET' | 'PUT'; configId: string; key: string },
  query: SignedQuery,
): SignedGrant | null {
  const grant: SignedGrant = {
    ...target,
    expiresAt: Number(query.expires),
    maxBytes: query.max === undefined ? null : Number(query.max),
    contentType: query.type ?? null,
    contentDisposition: query.disposition ?? null,
  }
  // No number and `null` would be signed alike.
  const isReadable =
    Number.isInteger(grant.expiresAt) && (grant.maxBytes === null || Number.isInteger(grant.maxBytes))
  return isReadable && secrets.verify(statement(grant), query.signature) ? grant : null
}

/** Links of the local disk: paths on this server, signed, expiring, bound to one method and one key. */
export function createSignedLinks({
  configId,
  secrets,
  clock,
}: {
  configId: string
  secrets: Secrets
  clock: Clock
}): PresignedLinks {
  const expiresAt = (seconds: number) => Math.floor(clock.nowMs() / 1000) + seconds
  return {
    async get(key, o) {
      return addressOf(
        {
          method: 'GET',
          configId,
          key,
          expiresAt: expiresAt(o.expiresInSeconds),
          maxBytes: null,
          contentType: o.contentType ?? null,
          contentDisposition: o.contentDisposition ?? null,
        },
        secrets,
      )
    },
    async put(key, o) {
      return addressOf(
        {
          method: 'PUT',
          configId,
          key,
          expiresAt: expiresAt(o.expiresInSeconds),
          maxBytes: o.maxBytes ?? null,
          contentType: null,
          contentDisposition: null,
        },
        secrets,
      )
    },
    part: () => Promise.reject(new Error('Parts of the local disk go through the server.')),
  }
}
