import { BESIDE } from '../../render/relative-links.ts'
import type { Enhancement } from './enhance.ts'

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * Opens relative links within the app. Resolves the relative URLs of images and recordings when they come near the
 * viewport. A missing image shows its alternative text.
 */
export function enhanceRelativeLinks(
  root: HTMLElement,
  { beside, near, signal, onPicture }: Enhancement,
): void {
  if (!beside) return
  for (const link of root.querySelectorAll<HTMLAnchorElement>(`a[${BESIDE}]`)) {
    link.addEventListener('click', (event) => {
      if (!isPlain(event)) return
      event.preventDefault()
      beside.open(link.getAttribute(BESIDE) ?? '')
    })
  }
  const found = root.querySelectorAll<HTMLImageElement | HTMLMediaElement>(
    `:is(img, video, audio)[${BESIDE}]:not([src])`,
  )
  for (const element of found) {
    near.add(element, async () => {
      try {
        const address = await beside.findBytes(element.getAttribute(BESIDE) ?? '')
        if (signal.aborted) return
        element.src = address
      } catch {
        // The file is missing, or the user is not allowed to read it.
        return
      }
      if (element instanceof HTMLImageElement) onPicture(element)
    })
  }
}
