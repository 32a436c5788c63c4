/** A request to an image decoder. */
export interface DecodeRequest {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Starts at 0. */
  readonly page: number
}

/** One page of a file that may have several. */
export interface DecodedPage {
  readonly picture: Blob
  readonly pages: number
}

/** Pictures with more pixels do not fit on a canvas. */
const MAX_PIXELS = 120_000_000

/** @param pixels RGBA */
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
