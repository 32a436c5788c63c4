import sharp from 'sharp'
import type { ThumbnailAnswer, ThumbnailOrder } from './thumbnailer.ts'

/**
 * Makes thumbnails, one at a time, in a separate process: native code decodes foreign pictures, which may need much
 * memory or crash; the server shall do neither.
 */

/** A baseline JPEG is decoded line by line, and smaller than it is: it needs little memory. */
const STREAMED_PIXELS = 400_000_000
/** All others are held whole while they are decoded: progressive and interlaced ones, too. */
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

/** Decoders count their memory nowhere. Who waits for this process begins another one. */
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
// The server is gone: nobody asks any more.
process.on('disconnect', () => process.exit())
