import type { PresignedLinks } from '../driver.ts'
import { requirePartNumber } from '../parts.ts'
import { at, type S3Context } from './client.ts'
import { atUpload } from './uploads.ts'

/** Longest life of a signed URL. Source: AWS S3 "Authenticating requests: query parameters", API/sigv4-query-string-auth.html, read 2026-11-20. */
const EXPIRES_MAX_SECONDS = 7 * 24 * 3600

/**
 * Signed in the query, over the `host` header alone, so that a client may send any other. The body is not signed.
 * A link for GET serves no HEAD: S3 signs the method. One that outlives a week is cut to it.
 */
export async function createS3Links(ctx: S3Context): Promise<PresignedLinks> {
  const [{ getSignedUrl }, sdk] = await Promise.all([
    import('@aws-sdk/s3-request-presigner'),
    import('@aws-sdk/client-s3'),
  ])
  const signing = ({ expiresInSeconds }: { expiresInSeconds: number }) => ({
    expiresIn: Math.min(expiresInSeconds, EXPIRES_MAX_SECONDS),
    signingDate: new Date(ctx.nowMs()),
  })
  return {
    get(key, o) {
      const isTyped = o.contentType !== undefined && ctx.traits.overridesContentType
      const input = {
        ...at(ctx, key),
        ...(isTyped && { ResponseContentType: o.contentType }),
        ...(o.contentDisposition !== undefined && { ResponseContentDisposition: o.contentDisposition }),
      }
      return getSignedUrl(ctx.s3, new sdk.GetObjectCommand(input), signing(o))
    },
    put(key, o) {
      return getSignedUrl(ctx.s3, new sdk.PutObjectCommand(at(ctx, key)), signing(o))
    },
    async part(upload, partNumber, o) {
      requirePartNumber(partNumber)
      const input = { ...atUpload(ctx, upload), PartNumber: partNumber }
      return getSignedUrl(ctx.s3, new sdk.UploadPartCommand(input), signing(o))
    },
  }
}
