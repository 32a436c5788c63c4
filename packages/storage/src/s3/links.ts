import { setImmediate } from 'node:timers/promises'
import type { PresignedLinks } from '../driver.ts'
import { requirePartNumber } from '../parts.ts'
import { at, type S3Context } from './client.ts'
import { atUpload } from './uploads.ts'

/**
 * Longest lifetime of a signed URL. Source: AWS S3 "Authenticating requests: query parameters",
 * API/sigv4-query-string-auth.html, read 2026-11-20.
 */
const EXPIRES_MAX_SECONDS = 7 * 24 * 3600

const load = () => Promise.all([import('@aws-sdk/s3-request-presigner'), import('@aws-sdk/client-s3')])

/**
 * Creates signed URLs. The signature covers only the `host` header, so that a client can send any other header and any
 * body. A link for GET does not work for HEAD, because S3 signs the method. Lifetimes are limited to a week.
 */
export function createS3Links(ctx: S3Context): PresignedLinks {
  const signing = ({ expiresInSeconds }: { expiresInSeconds: number }) => ({
    expiresIn: Math.min(expiresInSeconds, EXPIRES_MAX_SECONDS),
    signingDate: new Date(ctx.nowMs()),
  })
  return {
    async get(key, { contentType, contentDisposition, ...o }) {
      const [{ getSignedUrl }, { GetObjectCommand }] = await load()
      const overridesType = contentType !== undefined && ctx.traits.overridesContentType
      const input = {
        ...at(ctx, key),
        ...(overridesType && { ResponseContentType: contentType }),
        ...(contentDisposition !== undefined && { ResponseContentDisposition: contentDisposition }),
      }
      return getSignedUrl(ctx.s3, new GetObjectCommand(input), signing(o))
    },
    async put(key, o) {
      const [{ getSignedUrl }, { PutObjectCommand }] = await load()
      return getSignedUrl(ctx.s3, new PutObjectCommand(at(ctx, key)), signing(o))
    },
    async part(upload, partNumber, o) {
      requirePartNumber(partNumber)
      const [{ getSignedUrl }, { UploadPartCommand }] = await load()
      // Lets other work run between links, because signing takes half a millisecond, and a large upload needs thousands
      // of links.
      await setImmediate()
      const input = { ...atUpload(ctx, upload), PartNumber: partNumber }
      return getSignedUrl(ctx.s3, new UploadPartCommand(input), signing(o))
    },
  }
}
