import type { Config, DOMPurify } from 'dompurify'
import createDOMPurify from 'dompurify'
import { policyOfMakers } from '../../../lib/browser/trusted-types.ts'
import { ADDRESS, ATTRIBUTES, ID_PREFIX, TAGS, isOwnClass, isSize } from '../syntax/allowed.ts'
import { BESIDE, type RelativeFiles, isRelative } from './relative-links.ts'

const config: Config = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ATTRIBUTES,
  ALLOWED_URI_REGEXP: ADDRESS,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  SANITIZE_NAMED_PROPS: true,
  ...(policyOfMakers && {
    TRUSTED_TYPES_POLICY: policyOfMakers as unknown as NonNullable<Config['TRUSTED_TYPES_POLICY']>,
  }),
}

const isForeign = (link: HTMLAnchorElement) =>
  /^https?:$/.test(link.protocol) && link.origin !== window.location.origin

function hardenLink(link: HTMLAnchorElement) {
  leadBeside(link)
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

/** Adds controls to a recording, and prevents it from loading before it is played. */
function hardenMedia(media: HTMLMediaElement) {
  media.setAttribute('controls', '')
  media.setAttribute('preload', 'none')
}

/** Disables a checkbox, and labels it with the text after it, up to a nested list or the next checkbox. */
function hardenBox(box: HTMLInputElement) {
  box.disabled = true
  let text = ''
  for (let node = box.nextSibling; node && !/^(?:OL|UL|INPUT)$/.test(node.nodeName); node = node.nextSibling)
    text += node.textContent ?? ''
  const name = text.replaceAll(/\s+/g, ' ').trim()
  if (name !== '') box.setAttribute('aria-label', name)
}

export interface Surroundings {
  /** If set, requests to other hosts are blocked, and the names of these hosts are added to the set. */
  readonly hosts?: Set<string> | null
  /** Files that relative URLs in the text can reference. */
  readonly beside?: RelativeFiles | null
}

/** Context of the current call. */
let around: Surroundings = {}

/** Points a relative link to the app's page for the file. Removes the URL if there is no such page. */
function leadBeside(link: HTMLAnchorElement) {
  const href = link.getAttribute('href')
  if (!around.beside || href === null || !isRelative(href)) return
  const page = around.beside.pageOf(href)
  if (page === null) link.removeAttribute('href')
  else link.setAttribute('href', page)
  if (page !== null) link.setAttribute(BESIDE, href)
}

/**
 * Moves a relative URL from `src` to another attribute, so that the browser does not request it. The URL is resolved
 * when the element comes near the viewport.
 */
function findBeside(element: HTMLImageElement | HTMLMediaElement) {
  const source = element.getAttribute('src')
  if (!around.beside || source === null || !isRelative(source)) return
  element.removeAttribute('src')
  element.setAttribute(BESIDE, source)
}

/** Removes the `src` of content from other hosts. */
function leaveOut(element: HTMLImageElement | HTMLMediaElement) {
  const source = element.getAttribute('src')
  if (!around.hosts || source === null) return
  const url = URL.parse(source, window.location.href)
  if (url?.origin === window.location.origin || url?.protocol === 'data:') return
  element.removeAttribute('src')
  if (url?.host) around.hosts.add(url.host)
}

function makePurifier(): DOMPurify {
  const made = createDOMPurify(window)
  made.addHook('uponSanitizeAttribute', (element, attribute) => {
    const { attrName: name, attrValue: value } = attribute
    if (name === 'class' && !isOwnClass(element.tagName, value)) attribute.keepAttr = false
    if (name === 'dir' && value !== 'auto') attribute.keepAttr = false
    if ((name === 'width' || name === 'height') && !isSize(element.tagName, value)) attribute.keepAttr = false
  })
  made.addHook('afterSanitizeAttributes', (element) => {
    if (element instanceof HTMLAnchorElement) hardenLink(element)
    if (element instanceof HTMLImageElement) hardenImage(element)
    if (element instanceof HTMLMediaElement) hardenMedia(element)
    if (element instanceof HTMLImageElement || element instanceof HTMLMediaElement) {
      findBeside(element)
      leaveOut(element)
    }
    if (element instanceof HTMLInputElement) {
      if (element.type === 'checkbox') hardenBox(element)
      else element.remove()
    }
  })
  return made
}

let made: DOMPurify | null = null

/** Creates the purifier on first use, because creating it is slow. */
const purifier = (): DOMPurify => (made ??= makePurifier())

function within<T>(surroundings: Surroundings, work: () => T): T {
  around = surroundings
  try {
    return work()
  } finally {
    around = {}
  }
}

/** Sanitises HTML. Allows text formatting, links, images and recordings, but no scripts, styles, frames or forms. */
export const sanitise = (html: string, surroundings: Surroundings = {}): string =>
  within(surroundings, () => purifier().sanitize(html, config))

/** Like {@link sanitise}, but returns nodes that can be inserted directly. */
export const sanitisedNodes = (html: string, surroundings: Surroundings = {}): DocumentFragment =>
  within(surroundings, () => purifier().sanitize(html, { ...config, RETURN_DOM_FRAGMENT: true }))
