/** A tag with its attributes. Quoted values exclude `<`, which bounds the search for the end of a tag. */
const TAG = /<[a-z](?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi
const HANDLER = /([\s"'/])on[a-z]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi

/**
 * Removes event handlers from clipboard HTML. Parsers create them even for documents that are never shown; only the CSP
 * would block them.
 */
export const withoutHandlers = (html: string): string =>
  html.replaceAll(TAG, (tag) => tag.replaceAll(HANDLER, '$1'))
