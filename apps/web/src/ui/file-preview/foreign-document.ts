/** What has no place in a document that is only read. Nothing of it would run where it is shown, either. */
const REMOVED =
  'script, iframe, frame, frameset, object, embed, applet, link, meta, base, form, input, button, select, textarea, template, noscript'

/** Removes from a document that was made by somebody else what leads out of it. Places within it stay. */
export function tame(root: Document | DocumentFragment | Element): void {
  for (const element of root.querySelectorAll(REMOVED)) element.remove()
  for (const element of root.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) {
      const isLink = /(?:^|:)(?:href|src|srcset|action|formaction|poster|background|ping)$/i.test(name)
      const value = element.getAttribute(name) ?? ''
      if (/^on/i.test(name) || (isLink && !/^(?:#|data:(?:image|font|audio|video)\/)/i.test(value)))
        element.removeAttribute(name)
    }
  }
}

export function toDataUrl(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(new Error('The bytes cannot be read.')))
    reader.readAsDataURL(new Blob([bytes], { type }))
  })
}
