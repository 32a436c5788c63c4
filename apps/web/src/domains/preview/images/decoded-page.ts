/** A request to the worker that decodes images. */
export interface DecodeRequest {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Page number, starting at 0. */
  readonly page: number
}

/** One page of an image file that can have several. */
export interface DecodedPage {
  readonly picture: Blob
  readonly pages: number
}

/** Maximum number of pixels that fit on a canvas. */
const MAX_PIXELS = 120_000_000

/** @param pixels in RGBA order */
export async function drawPage(
  pixels: Uint8ClampedArray<ArrayBuffer>,
  { width, height }: { width: number; height: number },
): Promise<Blob> {
  if (width * height > MAX_PIXELS) throw new Error('The picture has too many pixels.')
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('No canvas.')
  context.putImageData(new ImageData(pixels, width, height), 0, 0)
  return canvas.convertToBlob({ type: 'image/png' })
}
