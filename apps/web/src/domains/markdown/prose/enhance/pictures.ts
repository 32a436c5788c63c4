import type { Enhancement } from './enhance.ts'
import { fill } from './words.ts'

export interface ShownPicture {
  readonly url: string
  readonly name: string
}

const ZOOMABLE = 'img[data-zoom]'

function openFrom(image: HTMLImageElement, { shownIn, open }: Enhancement): void {
  const images = [...shownIn.querySelectorAll<HTMLImageElement>(ZOOMABLE)].filter(
    (one) => one.complete && one.naturalWidth > 0,
  )
  const pictures = images.map((one) => ({ url: one.currentSrc || one.src, name: one.alt }))
  const index = images.indexOf(image)
  if (index !== -1) open({ kind: 'pictures', pictures, index })
}

/** Makes an image that is not inside a link open in the viewer on click, Enter or Space. */
export function enhancePicture(image: HTMLImageElement, enhancement: Enhancement): void {
  // An image without a `src` is blocked, or its relative URL is not resolved yet.
  if (image.closest('a') || image.dataset['zoom'] || !image.hasAttribute('src')) return
  const { words } = enhancement
  image.dataset['zoom'] = 'true'
  image.tabIndex = 0
  image.setAttribute('role', 'button')
  image.setAttribute('aria-label', image.alt ? fill(words.enlargeNamed, { name: image.alt }) : words.enlarge)
  image.addEventListener('click', () => openFrom(image, enhancement))
  image.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    openFrom(image, enhancement)
  })
}

/** Shows a link to the URL in place of a recording that cannot be played. */
export function enhanceMedia(media: HTMLMediaElement, { words }: Enhancement): void {
  media.addEventListener('error', () => {
    const link = document.createElement('a')
    link.href = media.src
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
    link.textContent = words.mediaOpen
    const note = document.createElement('span')
    note.className = 'dl-media-failed'
    note.append(media.title ? `${media.title}: ${words.mediaFailed} ` : `${words.mediaFailed} `, link)
    media.replaceWith(note)
  })
}
