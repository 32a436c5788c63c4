import type { DrawnDocument } from './drawn-document.ts'
import { PAGE_STYLE } from './page.ts'

const WIDTH = 800
/** Of a canvas, in the browsers that have the least. */
const MAX_SIDE = 16_000
const MAX_PIXELS = 120_000_000

export class PictureTooLarge extends Error {
  override name = 'PictureTooLarge'
}

async function heightOf(page: string): Promise<number> {
  const frame = document.createElement('iframe')
  frame.style.cssText = `position:fixed;inset:0 auto auto -10000px;width:${WIDTH}px;height:10px;border:0;visibility:hidden`
  frame.setAttribute('sandbox', 'allow-same-origin')
  frame.srcdoc = page
  try {
    await new Promise<void>((resolve) => {
      frame.addEventListener('load', () => resolve(), { once: true })
      document.body.append(frame)
    })
    const inside = frame.contentDocument
    if (!inside) throw new Error('The frame has no document.')
    await Promise.all([...inside.images].map((image) => image.decode().catch(() => undefined)))
    return Math.ceil(inside.documentElement.getBoundingClientRect().height)
  } finally {
    frame.remove()
  }
}

/**
 * A whole text as one picture, twice as sharp as a screen where it is not too long.
 * @throws {PictureTooLarge} for what no canvas can hold
 */
export async function drawPicture({ root }: DrawnDocument): Promise<Blob> {
  const page = `<!doctype html><meta charset="utf-8"><style>${PAGE_STYLE}</style>${root.outerHTML}`
  const height = await heightOf(page)
  const scale = Math.min(2, MAX_SIDE / height, Math.sqrt(MAX_PIXELS / (WIDTH * height)))
  if (scale < 0.5) throw new PictureTooLarge(`${height} px`)
  const inside = new XMLSerializer().serializeToString(root)
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}"><foreignObject width="100%" height="100%">` +
    `<div xmlns="http://www.w3.org/1999/xhtml"><style>${PAGE_STYLE.replaceAll('>', '&gt;')}</style>${inside}</div></foreignObject></svg>`
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(WIDTH * scale)
  canvas.height = Math.round(height * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new PictureTooLarge(`${height} px`)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (!blob) throw new PictureTooLarge(`${height} px`)
  return blob
}
