import type { DrawnDocument } from './drawn-document.ts'
import { PAGE_STYLE } from './page.ts'
import { cutPictures } from './picture-cuts.ts'

const WIDTH = 800
/** Pixels of the exported picture per CSS pixel. */
const SCALE = 2
/** Maximum canvas side, in px. All browsers support this size. */
const MAX_SIDE = 16_000
/** Maximum number of images per export. More images would need too much memory. */
const MAX_PICTURES = 40

export class PictureTooLarge extends Error {
  override name = 'PictureTooLarge'
}

interface Measured {
  readonly height: number
  /** Lower edges of blocks, which are possible cuts, in px from the top. */
  readonly ends: readonly number[]
}

async function measure(page: string): Promise<Measured> {
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
    const blocks = inside.querySelectorAll('article > *, li, tr, pre > code > *')
    return {
      height: Math.ceil(inside.documentElement.getBoundingClientRect().height),
      ends: [...blocks].map((block) => block.getBoundingClientRect().bottom),
    }
  } finally {
    frame.remove()
  }
}

async function drawPart(image: HTMLImageElement, top: number, bottom: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const height = bottom - top
  canvas.width = WIDTH * SCALE
  canvas.height = height * SCALE
  const context = canvas.getContext('2d')
  if (!context) throw new PictureTooLarge(`${height} px`)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, top, WIDTH, height, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (!blob) throw new PictureTooLarge(`${height} px`)
  return blob
}

/**
 * Draws a text as one image, or as several images if one image would be too tall.
 * @throws {PictureTooLarge} if there would be too many images, or if the browser cannot create such a large image
 */
export async function drawPictures({ root }: DrawnDocument): Promise<readonly Blob[]> {
  const page = `<!doctype html><meta charset="utf-8"><style>${PAGE_STYLE}</style>${root.outerHTML}`
  const { height, ends } = await measure(page)
  const cuts = cutPictures(height, ends, MAX_SIDE / SCALE)
  if (cuts.length > MAX_PICTURES) throw new PictureTooLarge(`${height} px`)
  const inside = new XMLSerializer().serializeToString(root)
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}"><foreignObject width="100%" height="100%">` +
    `<div xmlns="http://www.w3.org/1999/xhtml"><style>${PAGE_STYLE.replaceAll('>', '&gt;')}</style>${inside}</div></foreignObject></svg>`
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const pictures: Blob[] = []
  // Draws one image at a time, because each needs a canvas of many megabytes.
  for (const [index, bottom] of cuts.entries())
    pictures.push(await drawPart(image, cuts[index - 1] ?? 0, bottom))
  return pictures
}
