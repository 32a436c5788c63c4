/**
 * Matches a tag with its attributes. Quoted values exclude `<`, so that the search for the end of a tag stays short.
 */
const TAG = /<[a-z](?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi
const HANDLER = /([\s"'/])on[a-z]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi

/**
 * Removes event handlers from clipboard HTML. Parsers create handlers even in documents that are never shown. Without
 * this function, only the CSP would block them.
 */
export const withoutHandlers = (html: string): string =>
  html.replaceAll(TAG, (tag) => tag.replaceAll(HANDLER, '$1'))
