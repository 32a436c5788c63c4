const TIMEOUT_MS = 10_000

const toAddress = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(new Error('The picture could not be read.')))
    reader.readAsDataURL(blob)
  })

/**
 * Fetches an image as a data URL. Returns `null` if the request fails, if CORS prevents reading the image, or if the
 * response is not an image.
 */
export async function fetchPicture(address: string): Promise<string | null> {
  if (address.startsWith('data:')) return address
  try {
    const answer = await fetch(address, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      credentials: 'same-origin',
      referrerPolicy: 'no-referrer',
    })
    const blob = answer.ok ? await answer.blob() : null
    return blob?.type.startsWith('image/') ? await toAddress(blob) : null
  } catch {
    // For example, the host does not allow CORS, or the browser is offline.
    return null
  }
}

/** Converts any image that the browser can draw to PNG. Returns `null` for other files. */
export async function toPng(
  address: string,
): Promise<{ bytes: Uint8Array; width: number; height: number } | null> {
  const image = new Image()
  image.src = address
  try {
    await image.decode()
    const [width, height] = [image.naturalWidth || 600, image.naturalHeight || 400]
    // Draws at up to twice the size, so that the image has enough resolution for print.
    const scale = Math.min(2, 4000 / Math.max(width, height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/png')
    })
    return blob && { bytes: new Uint8Array(await blob.arrayBuffer()), width, height }
  } catch {
    return null
  }
}
