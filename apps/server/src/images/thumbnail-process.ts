import sharp from 'sharp'
import type { ThumbnailAnswer, ThumbnailOrder } from './thumbnailer.ts'

/**
 * Makes thumbnails, one at a time, in a process of its own: pictures of strangers are decoded by native code, which may
 * need much memory or fall over, and the server shall do neither.
 */

/** Formats that are decoded line by line need little memory whatever their size. */
const STREAMED_PIXELS = 400_000_000
const WHOLE_PIXELS = 60_000_000
const QUALITY = 76

sharp.cache(false)
sharp.concurrency(1)

async function makeThumbnail({ source, target, edgePx }: ThumbnailOrder): Promise<void> {
  const { format } = await sharp(source, { limitInputPixels: STREAMED_PIXELS }).metadata()
  const limitInputPixels = format === 'jpeg' ? STREAMED_PIXELS : WHOLE_PIXELS
  await sharp(source, { limitInputPixels, failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize(edgePx, edgePx, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toFile(target)
}

async function carryOut(order: ThumbnailOrder): Promise<void> {
  const answer = (error: string | null) => process.send?.({ id: order.id, error } satisfies ThumbnailAnswer)
  try {
    await makeThumbnail(order)
    answer(null)
  } catch (error) {
    answer(error instanceof Error ? error.message : 'unknown')
  }
}

process.on('message', (order: ThumbnailOrder) => void carryOut(order))
// The server is gone: nobody asks any more.
process.on('disconnect', () => process.exit())
