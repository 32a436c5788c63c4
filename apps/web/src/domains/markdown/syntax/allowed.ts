/**
 * Rules for the contents of sanitised text. The module does not use the DOM, so that a worker can apply the rules
 * too.
 */

/** Prefix of every ID, so that a text cannot use the ID of an element of the page. */
export const ID_PREFIX = 'user-content-'

export const TAGS = (
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code ul ol li input table thead tbody tr th td a img strong em s del sup ' +
  'sub mark kbd details summary nav video audio'
).split(' ')

export const ATTRIBUTES =
  'href title src alt id class start align type checked disabled dir controls preload open width height'.split(
    ' ',
  )

/** Matches allowed URLs: web, mail, telephone, fragments, and paths on this server. */
export const ADDRESS =
  /^(?:https?:|mailto:|tel:|#|\/(?![/\\])|[^a-z/\\]|[a-z][a-z0-9+.-]*(?:[^a-z0-9+.:-]|$))/i

/** Whether a value is an image size, in pixels or percent. */
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

/** Whether our renderer sets this class on this element. */
export const isOwnClass = (tag: string, value: string): boolean =>
  OWN_CLASSES[tag.toLowerCase()]?.test(value) ?? false
