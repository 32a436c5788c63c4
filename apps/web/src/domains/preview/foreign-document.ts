/** Elements that a read-only document does not need. The sandboxed frame would block their functions anyway. */
const REMOVED =
  'script, iframe, frame, frameset, object, embed, applet, link, meta, base, form, input, button, select, textarea, template, noscript'

const PICTURES = 'img, image, source, video, audio, track'
const PICTURE_ADDRESSES = ['src', 'href', 'xlink:href', 'poster'] as const

/**
 * Sanitises a foreign document. Preserves anchors within the document, and the URLs of images and recordings. {@link
 * foreignOrigins} lists the origins of these URLs, and the CSP of the frame blocks or allows them.
 */
export function sanitiseDocument(root: Document | DocumentFragment | Element): void {
  for (const element of root.querySelectorAll(REMOVED)) element.remove()
  for (const element of root.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) {
      const isLink = /(?:^|:)(?:href|src|srcset|action|formaction|poster|background|ping)$/i.test(name)
      const value = element.getAttribute(name) ?? ''
      const isPicture = element.matches(PICTURES) && /^https?:\/\//i.test(value) && !/srcset/i.test(name)
      const isHarmless = isPicture || /^(?:#|data:(?:image|font|audio|video)\/)/i.test(value)
      if (/^on/i.test(name) || (isLink && !isHarmless)) element.removeAttribute(name)
    }
  }
}

const STYLED_ADDRESS = /url\(\s*["']?(https?:\/\/[^"')\s]+)/gi

/** Returns the foreign origins from which a page would load images, recordings or files of its styles. */
export function foreignOrigins(html: string): readonly string[] {
  // Skips parsing of pages that contain no URLs.
  if (!/(?:https?:)?\/\//i.test(html)) return []
  const page = new DOMParser().parseFromString(html, 'text/html')
  const base = page.querySelector('base[href]')?.getAttribute('href') ?? ''
  const found = [...html.matchAll(STYLED_ADDRESS)].map(([, address]) => address)
  for (const element of page.querySelectorAll(PICTURES)) {
    for (const name of PICTURE_ADDRESSES) found.push(element.getAttribute(name) ?? undefined)
    for (const part of (element.getAttribute('srcset') ?? '').split(','))
      found.push(part.trim().split(/\s/)[0])
  }
  const ground = URL.parse(base, window.location.href)?.href ?? window.location.href
  const origins = found.flatMap((address) => (address ? [URL.parse(address, ground)] : []))
  const isForeign = (url: URL | null) =>
    url !== null && /^https?:$/.test(url.protocol) && url.origin !== window.location.origin
  return [...new Set(origins.filter(isForeign).map((url) => url?.origin ?? ''))]
}

export function toDataUrl(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(new Error('The bytes cannot be read.')))
    reader.readAsDataURL(new Blob([bytes], { type }))
  })
}
