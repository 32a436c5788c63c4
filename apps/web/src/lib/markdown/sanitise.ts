import type { Config } from 'dompurify'
import createDOMPurify from 'dompurify'

export const ID_PREFIX = 'user-content-'

const TAGS =
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code ul ol li input table thead tbody tr th td a img strong em s del sup sub'
const ATTRIBUTES = 'href title src alt id class start align type checked disabled'

const config: Config = {
  ALLOWED_TAGS: TAGS.split(' '),
  ALLOWED_ATTR: ATTRIBUTES.split(' '),
  ALLOWED_URI_REGEXP:
    /^(?:https?:|mailto:|tel:|#|\/(?![/\\])|[^a-z/\\]|[a-z][a-z0-9+.-]*(?:[^a-z0-9+.:-]|$))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  SANITIZE_NAMED_PROPS: true,
}

const isForeign = (link: HTMLAnchorElement) =>
  /^https?:$/.test(link.protocol) && link.origin !== window.location.origin

function hardenLink(link: HTMLAnchorElement) {
  const href = link.getAttribute('href')
  if (href?.startsWith('#')) link.setAttribute('href', `#${ID_PREFIX}${href.slice(1)}`)
  if (!isForeign(link)) return
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow'
}

function hardenImage(image: HTMLImageElement) {
  image.setAttribute('loading', 'lazy')
  image.setAttribute('decoding', 'async')
  image.setAttribute('referrerpolicy', 'no-referrer')
}

const purifier = createDOMPurify(window)

purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
  if (attribute.attrName !== 'class') return
  const isCodeLanguage = element.tagName === 'CODE' && /^language-[\w+#.-]+$/.test(attribute.attrValue)
  if (!isCodeLanguage) attribute.keepAttr = false
})

purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element instanceof HTMLAnchorElement) hardenLink(element)
  if (element instanceof HTMLImageElement) hardenImage(element)
  if (element instanceof HTMLInputElement) {
    if (element.type === 'checkbox') element.disabled = true
    else element.remove()
  }
})

/** Leaves text formatting, links and pictures; nothing that runs, styles, frames or submits. */
export const sanitise = (html: string): string => purifier.sanitize(html, config)
