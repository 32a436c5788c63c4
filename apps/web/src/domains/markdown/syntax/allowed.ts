/** What sanitised text may hold. Without the page, so that a worker can hold to it as well. */

/** Before every id, so that no text can take the name of something in the page. */
export const ID_PREFIX = 'user-content-'

export const TAGS = (
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code ul ol li input table thead tbody tr th td a img strong em s del sup ' +
  'sub mark kbd details summary nav video audio'
).split(' ')

export const ATTRIBUTES =
  'href title src alt id class start align type checked disabled dir controls preload open width height'.split(
    ' ',
  )

/** Web, mail and telephone; places of this page and paths of this server. */
export const ADDRESS =
  /^(?:https?:|mailto:|tel:|#|\/(?![/\\])|[^a-z/\\]|[a-z][a-z0-9+.-]*(?:[^a-z0-9+.:-]|$))/i

/** Of pictures, in pixels or as a share of the line. */
export const isSize = (tag: string, value: string): boolean =>
  tag.toLowerCase() === 'img' && /^\d{1,4}%?$/.test(value)

const OWN_CLASSES: Readonly<Record<string, RegExp>> = {
  code: /^language-[\w+#.-]+$/,
  ol: /^(?:footnotes|goes-on)$/,
  ul: /^goes-on$/,
  p: /^goes-on$/,
  a: /^footnote-(?:ref|back)$/,
  nav: /^contents$/,
  table: /^(?:front-matter|cut(?: went-on)? columns(?:-\d{1,2})+)$/,
}

/** Classes are those of our own renderer, each at its element. */
export const isOwnClass = (tag: string, value: string): boolean =>
  OWN_CLASSES[tag.toLowerCase()]?.test(value) ?? false
