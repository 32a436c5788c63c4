import type { PresignedLinks } from '../driver.ts'
import { requirePartNumber } from '../parts.ts'
import { at, type S3Context } from './client.ts'
import { resign, signatureOf } from './resign.ts'
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
    part: createPartLinks(ctx, (upload, partNumber, o) => {
      const input = { ...atUpload(ctx, upload), PartNumber: partNumber }
      return getSignedUrl(ctx.s3, new sdk.UploadPartCommand(input), signing(o))
    }),
  }
}

/** An address by the SDK, from which those of the other parts of the same upload are made within the same second. */
interface Template {
  readonly name: string
  readonly url: string
  readonly secretAccessKey: string
}

function createPartLinks(ctx: S3Context, sign: PresignedLinks['part']): PresignedLinks['part'] {
  let template: Template | null = null
  return async (upload, partNumber, o) => {
    requirePartNumber(partNumber)
    const second = Math.floor(ctx.nowMs() / 1000)
    const name = JSON.stringify([upload.key, upload.uploadId, o.expiresInSeconds, second])
    if (template?.name === name) {
      const { secretAccessKey } = template
      return resign(template.url, { change: { partNumber: String(partNumber) }, secretAccessKey })
    }
    const url = await sign(upload, partNumber, o)
    const { secretAccessKey } = await ctx.s3.config.credentials()
    // Only what we would sign alike may stand for others.
    const isAlike = signatureOf(resign(url, { change: {}, secretAccessKey })) === signatureOf(url)
    if (isAlike) template = { name, url, secretAccessKey }
    return url
  }
}
