import sharp from 'sharp'
import type { ThumbnailAnswer, ThumbnailOrder } from './thumbnailer.ts'

/**
 * Makes thumbnails in a separate process, one at a time. Native code that decodes untrusted images can use a lot of
 * memory or crash, and must not affect the server.
 */

/**
 * Maximum number of pixels of a baseline JPEG. Such images need little memory, because they are decoded line by line
 * and scaled down at the same time.
 */
const STREAMED_PIXELS = 400_000_000
/**
 * Maximum number of pixels of an image that is decoded in memory as a whole, such as progressive and interlaced images.
 */
const WHOLE_PIXELS = 60_000_000
const QUALITY = 76
const memoryMaxBytes = Number(process.argv[2])
const LOOK_EVERY_MS = 25

sharp.cache(false)
sharp.concurrency(1)

async function makeThumbnail({ source, target, edgePx }: ThumbnailOrder): Promise<void> {
  const { format, isProgressive } = await sharp(source, { limitInputPixels: STREAMED_PIXELS }).metadata()
  const limitInputPixels = format === 'jpeg' && !isProgressive ? STREAMED_PIXELS : WHOLE_PIXELS
  await sharp(source, { limitInputPixels, failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize(edgePx, edgePx, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toFile(target)
}

/**
 * Exits if the process uses too much memory, because decoders do not limit their memory. The parent starts another
 * process.
 */
function endIfTooLarge(): void {
  if (process.memoryUsage.rss() > memoryMaxBytes) process.exit(1)
}

async function carryOut(order: ThumbnailOrder): Promise<void> {
  const answer = (error: string | null) => process.send?.({ id: order.id, error } satisfies ThumbnailAnswer)
  try {
    await makeThumbnail(order)
    endIfTooLarge()
    answer(null)
  } catch (error) {
    answer(error instanceof Error ? error.message : 'unknown')
  }
}

setInterval(endIfTooLarge, LOOK_EVERY_MS).unref()
process.on('message', (order: ThumbnailOrder) => void carryOut(order))
// Exits when the server has exited.
process.on('disconnect', () => process.exit())
