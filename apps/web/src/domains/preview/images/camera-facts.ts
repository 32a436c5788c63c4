/** EXIF data in readable form. Missing values are absent. */
export interface CameraFacts {
  readonly taken?: string
  readonly camera?: string
  readonly lens?: string
  readonly exposure?: string
  readonly software?: string
  readonly author?: string
  /** Coordinates in degrees. */
  readonly position?: string
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : '').replaceAll('\0', ' ').trim().slice(0, 200)
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** Formats the time that the camera has recorded. This time has no time zone. */
function timeOf(value: unknown): string {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return textOf(value)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${value.getFullYear()}-${two(value.getMonth() + 1)}-${two(value.getDate())}`
  return `${day} ${two(value.getHours())}:${two(value.getMinutes())}`
}

function exposureOf(tags: Readonly<Record<string, unknown>>): string {
  const seconds = numberOf(tags['ExposureTime'])
  const aperture = numberOf(tags['FNumber'])
  const sensitivity = numberOf(tags['ISO'])
  const length = numberOf(tags['FocalLength'])
  const parts: string[] = []
  if (seconds !== null && seconds > 0)
    parts.push(seconds >= 1 ? `${seconds} s` : `1/${Math.round(1 / seconds)} s`)
  if (aperture !== null) parts.push(`ƒ/${Number(aperture.toFixed(1))}`)
  if (sensitivity !== null) parts.push(`ISO ${sensitivity}`)
  if (length !== null) parts.push(`${Number(length.toFixed(1))} mm`)
  return parts.join(' · ')
}

function positionOf(tags: Readonly<Record<string, unknown>>): string {
  const latitude = numberOf(tags['latitude'])
  const longitude = numberOf(tags['longitude'])
  return latitude === null || longitude === null ? '' : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
}

/** Returns the camera's name. Omits the maker if the model starts with it. */
function cameraOf(tags: Readonly<Record<string, unknown>>): string {
  const make = textOf(tags['Make'])
  const model = textOf(tags['Model'])
  return model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`.trim()
}

/** @param read tags by their EXIF names, or nothing. The tags are untrusted and can have any value. */
export function describeCameraFacts(read: unknown): CameraFacts {
  if (typeof read !== 'object' || read === null) return {}
  const tags = read as Readonly<Record<string, unknown>>
  const all = {
    taken: timeOf(tags['DateTimeOriginal'] ?? tags['CreateDate']),
    camera: cameraOf(tags),
    lens: textOf(tags['LensModel']),
    exposure: exposureOf(tags),
    software: textOf(tags['Software']),
    author: textOf(tags['Artist']),
    position: positionOf(tags),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}
