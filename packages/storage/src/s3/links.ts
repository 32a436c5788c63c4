import type { PresignedLinks } from '../driver.ts'
import { requirePartNumber } from '../parts.ts'
import type { S3Context } from './client.ts'
import { createSdkLinks } from './sdk-links.ts'
import type { LinkToSign } from './signer.ts'

/** Longest life of a signed URL. Source: AWS S3 "Authenticating requests: query parameters", API/sigv4-query-string-auth.html, read 2026-11-20. */
const EXPIRES_MAX_SECONDS = 7 * 24 * 3600

/**
 * Signed in the query, over the `host` header alone, so that a client may send any other. The body is not signed.
 * A link for GET serves no HEAD: S3 signs the method. One that outlives a week is cut to it.
 */
export function createS3Links(ctx: S3Context): PresignedLinks {
  const sdk = createSdkLinks(ctx)
  const lifeOf = (o: { expiresInSeconds: number }) => Math.min(o.expiresInSeconds, EXPIRES_MAX_SECONDS)
  const sign = (link: Omit<LinkToSign, 'nowMs'>) => ctx.signer.signLink({ ...link, nowMs: ctx.nowMs() })
  return {
    async get(key, { contentDisposition, ...o }) {
      const contentType = ctx.traits.overridesContentType ? o.contentType : undefined
      const expiresInSeconds = lifeOf(o)
      const query = {
        'response-content-disposition': contentDisposition,
        'response-content-type': contentType,
        'x-id': 'GetObject',
      }
      return (
        sign({ method: 'GET', key, query, expiresInSeconds }) ??
        sdk.get(key, { contentType, contentDisposition, expiresInSeconds })
      )
    },
    async put(key, o) {
      const expiresInSeconds = lifeOf(o)
      const query = { 'x-id': 'PutObject' }
      return sign({ method: 'PUT', key, query, expiresInSeconds }) ?? sdk.put(key, { expiresInSeconds })
    },
    async part(upload, partNumber, o) {
      requirePartNumber(partNumber)
      const { key, uploadId } = upload
      const expiresInSeconds = lifeOf(o)
      const query = { partNumber: String(partNumber), uploadId, 'x-id': 'UploadPart' }
      return (
        sign({ method: 'PUT', key, query, expiresInSeconds }) ??
        sdk.part(upload, partNumber, { expiresInSeconds })
      )
    },
  }
}
