import type { Readable } from 'node:stream'
import { THUMBNAIL_EDGES_PX } from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../context.ts'
import { PictureError } from '../../../images/thumbnailer.ts'
import { SharedRuns } from '../../../lib/concurrency.ts'
import { limitBytes } from '../../../lib/bodies/relay-body.ts'
import { createFairLanes } from '../../../lib/fair-queue.ts'
import { type Actor, creatorOf } from '../../foundation/identity/actor.models.ts'
import { type FoundFile, getFile } from '../fs/files/reading.usecases.ts'
import { spool } from '../fs/uploads/spool.usecases.ts'

/** Image files that get thumbnails. Browsers scale vector graphics themselves. */
const PICTURES = /\.(?:jpe?g|png|webp|gif|avif|tiff?)$/i
/** Largest file that gets a thumbnail, in bytes. */
const SOURCE_MAX_BYTES = 64 * 1024 * 1024

/** Limits concurrent downloads and decodings, and alternates between callers. */
const inTurn = createFairLanes({ atOnce: 4, maxWaiting: 1000, maxOfOne: 500 })

export interface Thumbnail {
  readonly path: string
  readonly sizeBytes: number
  /** Cache tag, which changes when the image changes. */
  readonly tag: string
  readonly sourceEtag: string
}

/** A file whose thumbnail is requested. */
export interface PictureSource {
  readonly configId: string
  readonly key: string
  readonly stat: { readonly sizeBytes: number; readonly etag: string }
  read(): Promise<Readable>
}

/** Downloads an image to a temporary file, and creates its thumbnail. */
async function makeOf(
  ctx: Needs<'config' | 'db' | 'log' | 'thumbnails'>,
  picture: PictureSource,
  { target, edgePx }: { target: string; edgePx: number },
): Promise<'made' | 'none'> {
  try {
    await using source = await spool(ctx, limitBytes(await picture.read(), picture.stat.sizeBytes))
    await ctx.thumbnails.maker.make({ source: source.path, target, edgePx })
    return 'made'
  } catch (error) {
    if (error instanceof PictureError) {
      ctx.log.debug({ err: error, key: picture.key }, 'a picture has no thumbnail')
      return 'none'
    }
    throw error
  }
}

/** Thumbnails that are being created, keyed by cache tag. */
const running = new SharedRuns<void>()
/** Thumbnails that callers wait for, keyed by caller and cache tag. */
const waiting = new SharedRuns<void>()

/**
 * Returns the thumbnail of an image, or `null` if the file is not an image, unreadable, or too large. The thumbnail is
 * created once and cached per version of the file.
 * @param options `edgePx`: longest width or height, rounded up to an available size. `asker`: the caller in whose queue
 *   the request waits.
 * @throws {AppError} `request.rate_limited` and `request.unavailable` if too many requests wait
 */
export async function thumbnailOf(
  ctx: Needs<'config' | 'db' | 'log' | 'secrets' | 'thumbnails'>,
  source: PictureSource,
  { asker, edgePx }: { asker: string; edgePx: number },
): Promise<Thumbnail | null> {
  const { configId, key, stat } = source
  const isTried = PICTURES.test(key) && stat.sizeBytes > 0 && stat.sizeBytes <= SOURCE_MAX_BYTES
  if (!isTried) return null
  const edge = THUMBNAIL_EDGES_PX.find((one) => one >= edgePx) ?? Math.max(...THUMBNAIL_EDGES_PX)
  const tag = ctx.secrets.fingerprint(['thumbnail', configId, key, stat.etag, edge].join('\n'))
  const { cache } = ctx.thumbnails
  let found = await cache.find(tag)
  if (found === null) {
    const make = async () => {
      if ((await cache.find(tag)) === null)
        await cache.put(tag, (target) => makeOf(ctx, source, { target, edgePx: edge }))
    }
    // Each caller waits in a separate queue, even for an image that another caller also waits for.
    await waiting.run(`${asker}\n${tag}`, () => inTurn(asker, () => running.run(tag, make)))
    found = await cache.find(tag)
  }
  if (found === null || found === 'none') return null
  return { ...found, tag, sourceEtag: stat.etag }
}

const pictureOf = ({ place, key, stat }: FoundFile): PictureSource => ({
  configId: place.config.id,
  key,
  stat,
  read: async () => (await place.driver.read(key)).body,
})

/** Returns the thumbnail of a file at a path. @throws {AppError} as `getFile` and {@link thumbnailOf} */
export async function getThumbnail(
  ctx: PlaceNeeds & Needs<'config' | 'log' | 'thumbnails'>,
  actor: Actor,
  { path, edgePx }: { path: string; edgePx: number },
): Promise<Thumbnail | null> {
  return thumbnailOf(ctx, pictureOf(await getFile(ctx, actor, path)), { asker: creatorOf(actor), edgePx })
}
