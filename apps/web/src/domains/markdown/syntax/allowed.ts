/** What sanitised text may contain. Independent of the DOM, so that a worker can apply it too. */

/** Prefix of every id, so that a text cannot take the id of an element of the page. */
export const ID_PREFIX = 'user-content-'

export const TAGS = (
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code ul ol li input table thead tbody tr th td a img strong em s del sup ' +
  'sub mark kbd details summary nav video audio'
).split(' ')

export const ATTRIBUTES =
  'href title src alt id class start align type checked disabled dir controls preload open width height'.split(
    ' ',
  )

/** Web, mail and telephone; fragments and paths of this server. */
export const ADDRESS =
  /^(?:https?:|mailto:|tel:|#|\/(?![/\\])|[^a-z/\\]|[a-z][a-z0-9+.-]*(?:[^a-z0-9+.:-]|$))/i

/** Image sizes, in pixels or percent. */
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

/** Classes of our own renderer, each at its elements. */
export const isOwnClass = (tag: string, value: string): boolean =>
  OWN_CLASSES[tag.toLowerCase()]?.test(value) ?? false
