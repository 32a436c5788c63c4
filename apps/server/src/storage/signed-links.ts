import type { LinkIssuer, PresignedLinks } from '@dropleaf/storage'
import type { Clock } from '../lib/clock.ts'
import type { Secrets } from '../lib/secrets.ts'

/** Permissions of a signed URL of this server. The signature covers all of them. */
export interface SignedGrant {
  readonly method: 'GET' | 'PUT'
  readonly configId: string
  readonly key: string
  /** Expiry in epoch seconds. */
  readonly expiresAt: number
  readonly maxBytes: number | null
  readonly contentType: string | null
  readonly contentDisposition: string | null
  /** The part of a multipart upload to write; `null` for a whole object. */
  readonly part: { readonly uploadId: string; readonly partNumber: number } | null
  /** Whether a PUT writes the final object. If not, a pending upload must exist. */
  readonly isCopy: boolean
  /** Issuer of the URL; `null` if the URL is valid until it expires. */
  readonly issuer: LinkIssuer | null
}

export interface SignedQuery {
  readonly expires: string
  readonly signature: string
  readonly max?: string | undefined
  readonly type?: string | undefined
  readonly disposition?: string | undefined
  readonly uploadId?: string | undefined
  readonly partNumber?: string | undefined
  readonly purpose?: string | undefined
  readonly by?: string | undefined
  readonly right?: string | undefined
  readonly mount?: string | undefined
}

const COPY = 'copy'

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
    grant.part && [grant.part.uploadId, grant.part.partNumber],
    grant.isCopy,
    grant.issuer && [
      grant.issuer.by,
      grant.issuer.right,
      grant.issuer.scope,
      ...(grant.issuer.mount === undefined ? [] : [grant.issuer.mount]),
    ],
  ])
}

function addressOf(grant: SignedGrant, secrets: Secrets): string {
  const query = new URLSearchParams({ expires: String(grant.expiresAt) })
  if (grant.maxBytes !== null) query.set('max', String(grant.maxBytes))
  if (grant.contentType !== null) query.set('type', grant.contentType)
  if (grant.contentDisposition !== null) query.set('disposition', grant.contentDisposition)
  if (grant.part !== null) {
    query.set('uploadId', grant.part.uploadId)
    query.set('partNumber', String(grant.part.partNumber))
  }
  if (grant.isCopy) query.set('purpose', COPY)
  if (grant.issuer !== null) {
    query.set('by', grant.issuer.by)
    query.set('right', grant.issuer.right)
    if (grant.issuer.mount !== undefined) query.set('mount', grant.issuer.mount)
  }
  query.set('signature', secrets.sign(statement(grant)))
  return `/api/storage/${encodeURIComponent(grant.configId)}/${encodeKey(grant.key)}?${query.toString()}`
}

function partOf({ uploadId, partNumber }: SignedQuery): SignedGrant['part'] {
  if (uploadId === undefined && partNumber === undefined) return null
  return { uploadId: uploadId ?? '', partNumber: Number(partNumber) }
}

/**
 * Verifies a signed URL and returns its grant, or `null` if the signature is wrong. The caller checks the expiry.
 * @param target `issuer` is the current state of the issuer that the URL names, so that a changed scope invalidates the
 *   URL
 */
export function openSignedLink(
  secrets: Secrets,
  target: Pick<SignedGrant, 'method' | 'configId' | 'key' | 'issuer'>,
  query: SignedQuery,
): SignedGrant | null {
  const grant: SignedGrant = {
    ...target,
    expiresAt: Number(query.expires),
    maxBytes: query.max === undefined ? null : Number(query.max),
    contentType: query.type ?? null,
    contentDisposition: query.disposition ?? null,
    part: partOf(query),
    isCopy: query.purpose === COPY,
  }
  // `NaN` and `null` have the same signature, so the numbers are checked separately.
  const isReadable =
    Number.isInteger(grant.expiresAt) &&
    (grant.maxBytes === null || Number.isInteger(grant.maxBytes)) &&
    (grant.part === null || Number.isInteger(grant.part.partNumber))
  return isReadable && secrets.verify(statement(grant), query.signature) ? grant : null
}

interface Signing {
  readonly configId: string
  readonly secrets: Secrets
  readonly clock: Clock
}

const expiryAfter = ({ clock }: Signing, seconds: number) => Math.floor(clock.nowMs() / 1000) + seconds

/** Signs a URL of the local disk that writes a final object, for a copy that a client performs. */
export function signCopyTarget(
  signing: Signing,
  {
    key,
    maxBytes,
    expiresInSeconds,
    issuer,
  }: { key: string; maxBytes: number; expiresInSeconds: number; issuer: LinkIssuer | undefined },
): string {
  return addressOf(
    {
      method: 'PUT',
      configId: signing.configId,
      key,
      expiresAt: expiryAfter(signing, expiresInSeconds),
      maxBytes,
      contentType: null,
      contentDisposition: null,
      part: null,
      isCopy: true,
      issuer: issuer ?? null,
    },
    signing.secrets,
  )
}

/** Creates signed URLs of this server: paths that expire and allow one method on one key. */
export function createSignedLinks(signing: Signing): PresignedLinks {
  const { configId, secrets } = signing
  const expiresAt = (seconds: number) => expiryAfter(signing, seconds)
  const sign = (grant: Pick<SignedGrant, 'method' | 'key' | 'expiresAt'> & Partial<SignedGrant>) =>
    addressOf(
      {
        configId,
        maxBytes: null,
        contentType: null,
        contentDisposition: null,
        part: null,
        isCopy: false,
        issuer: null,
        ...grant,
      },
      secrets,
    )
  return {
    async get(key, o) {
      return sign({
        method: 'GET',
        key,
        expiresAt: expiresAt(o.expiresInSeconds),
        contentType: o.contentType ?? null,
        contentDisposition: o.contentDisposition ?? null,
        issuer: o.issuer ?? null,
      })
    },
    async put(key, o) {
      return sign({
        method: 'PUT',
        key,
        expiresAt: expiresAt(o.expiresInSeconds),
        maxBytes: o.maxBytes ?? null,
        issuer: o.issuer ?? null,
      })
    },
    async part({ key, uploadId }, partNumber, o) {
      return sign({
        method: 'PUT',
        key,
        expiresAt: expiresAt(o.expiresInSeconds),
        maxBytes: o.maxBytes ?? null,
        issuer: o.issuer ?? null,
        part: { uploadId, partNumber },
      })
    },
  }
}
