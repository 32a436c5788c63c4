import { BESIDE } from '../../render/relative-links.ts'
import type { Enhancement } from './enhance.ts'

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * Links lead to files beside the text. Pictures and recordings of such files come once somebody is near; in place of one that
 * is not there stands what it is called.
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
        // Not there, or not for this reader.
        return
      }
      if (element instanceof HTMLImageElement) onPicture(element)
    })
  }
}
