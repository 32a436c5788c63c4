export interface RawPixels {
  readonly width: number
  readonly height: number
  /** Samples per pixel: one for grey and palette images, three for colour images, and one more for transparency. */
  readonly samples: number
  /** Bits per sample. */
  readonly bits: number
  /** Whether the value 0 is white. */
  readonly isInverted: boolean
  /** Palette colours with 16 bits per channel. */
  readonly palette: readonly (readonly [number, number, number])[] | null
  readonly data: ArrayLike<number>
}

/**
 * Returns a function that maps a sample to a value from 0 to 255. Scales floating-point samples between their minimum
 * and maximum.
 */
function scaleOf({ bits, data }: RawPixels): (value: number) => number {
  if (data instanceof Float32Array || data instanceof Float64Array) {
    let least = Infinity
    let most = -Infinity
    for (const value of data) {
      if (value < least) least = value
      if (value > most) most = value
    }
    const span = most - least || 1
    return (value) => ((value - least) / span) * 255
  }
  const most = 2 ** bits - 1
  return bits === 8 ? (value) => value : (value) => (value / most) * 255
}

export function toRgba(raw: RawPixels): Uint8ClampedArray<ArrayBuffer> {
  const { width, height, samples, palette, isInverted, data } = raw
  const scale = scaleOf(raw)
  const count = width * height
  const pixels = new Uint8ClampedArray(count * 4)
  const isGrey = samples < 3
  for (let index = 0; index < count; index += 1) {
    const from = index * samples
    const to = index * 4
    const first = data[from] ?? 0
    if (palette) {
      const colour = palette[first] ?? [0, 0, 0]
      for (let part = 0; part < 3; part += 1) pixels[to + part] = (colour[part] ?? 0) / 257
    } else if (isGrey) {
      const grey = scale(first)
      pixels.fill(isInverted ? 255 - grey : grey, to, to + 3)
    } else {
      for (let part = 0; part < 3; part += 1) pixels[to + part] = scale(data[from + part] ?? 0)
    }
    const alpha = samples === 2 || samples === 4 ? data[from + samples - 1] : undefined
    pixels[to + 3] = alpha === undefined || palette ? 255 : scale(alpha)
  }
  return pixels
}
