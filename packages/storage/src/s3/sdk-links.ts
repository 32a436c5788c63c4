import type { PresignedLinks } from '../driver.ts'
import type { StorageKey } from '../keys.ts'
import { at, type S3Context } from './client.ts'
import { atUpload } from './uploads.ts'

interface Life {
  /** At most a week. */
  readonly expiresInSeconds: number
}

/** Links as the SDK makes them: for buckets whose place only it knows. */
export interface SdkLinks {
  get(
    key: StorageKey,
    o: Life & { contentType?: string | undefined; contentDisposition?: string | undefined },
  ): Promise<string>
  put(key: StorageKey, o: Life): Promise<string>
  part(upload: Parameters<PresignedLinks['part']>[0], partNumber: number, o: Life): Promise<string>
}

export function createSdkLinks(ctx: S3Context): SdkLinks {
  const load = () => Promise.all([import('@aws-sdk/s3-request-presigner'), import('@aws-sdk/client-s3')])
  const signing = ({ expiresInSeconds }: Life) => ({
    expiresIn: expiresInSeconds,
    signingDate: new Date(ctx.nowMs()),
  })
  return {
    async get(key, { contentType, contentDisposition, ...o }) {
      const [{ getSignedUrl }, { GetObjectCommand }] = await load()
      const input = {
        ...at(ctx, key),
        ...(contentType !== undefined && { ResponseContentType: contentType }),
        ...(contentDisposition !== undefined && { ResponseContentDisposition: contentDisposition }),
      }
      return getSignedUrl(ctx.s3, new GetObjectCommand(input), signing(o))
    },
    async put(key, o) {
      const [{ getSignedUrl }, { PutObjectCommand }] = await load()
      return getSignedUrl(ctx.s3, new PutObjectCommand(at(ctx, key)), signing(o))
    },
    async part(upload, partNumber, o) {
      const [{ getSignedUrl }, { UploadPartCommand }] = await load()
      const input = { ...atUpload(ctx, upload), PartNumber: partNumber }
      return getSignedUrl(ctx.s3, new UploadPartCommand(input), signing(o))
    },
  }
}
