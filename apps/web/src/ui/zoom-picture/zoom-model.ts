/** Position of an image in its frame. Lengths are in CSS pixels; at scale 1, an image pixel is one CSS pixel. */
export interface Zoom {
  readonly scale: number
  /** Distance from the centre of the frame to the centre of the image. */
  readonly x: number
  readonly y: number
}

export interface Sizes {
  readonly width: number
  readonly height: number
  readonly frameWidth: number
  readonly frameHeight: number
}

const MAX_SCALE = 8

/** Returns the zoom that fits the whole image. Small images are not enlarged. */
export function fitZoom({ width, height, frameWidth, frameHeight }: Sizes): Zoom {
  return { scale: Math.min(1, frameWidth / width, frameHeight / height), x: 0, y: 0 }
}

export const isFit = (zoom: Zoom, sizes: Sizes): boolean => zoom.scale <= fitZoom(sizes).scale * 1.001

/** Limits the offset, so that the image covers the frame or stays within it. */
const within = (offset: number, picture: number, frame: number) => {
  const room = Math.max(0, (picture - frame) / 2)
  return room === 0 ? 0 : Math.min(room, Math.max(-room, offset))
}

function held({ scale, x, y }: Zoom, sizes: Sizes): Zoom {
  const { width, height, frameWidth, frameHeight } = sizes
  return {
    scale,
    x: within(x, width * scale, frameWidth),
    y: within(y, height * scale, frameHeight),
  }
}

export const moveBy = (zoom: Zoom, sizes: Sizes, step: { x: number; y: number }): Zoom =>
  held({ ...zoom, x: zoom.x + step.x, y: zoom.y + step.y }, sizes)

/**
 * Zooms around a fixed point.
 * @param point relative to the centre of the frame
 */
export function scaleTo(zoom: Zoom, sizes: Sizes, scale: number, point = { x: 0, y: 0 }): Zoom {
  const least = fitZoom(sizes).scale
  const next = Math.min(Math.max(MAX_SCALE, least), Math.max(least, scale))
  const factor = next / zoom.scale
  return held(
    {
      scale: next,
      x: point.x - (point.x - zoom.x) * factor,
      y: point.y - (point.y - zoom.y) * factor,
    },
    sizes,
  )
}
