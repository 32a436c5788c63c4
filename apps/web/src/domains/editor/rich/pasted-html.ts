/** A tag with its attributes. What is between quotes has no `<`, so that looking for the end of a tag never goes far. */
const TAG = /<[a-z](?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi
const HANDLER = /([\s"'/])on[a-z]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi

/**
 * Formatted text of the clipboard without what would run on an event. Parsers make such handlers even for documents that
 * are never shown, and only the policy of the page keeps them from it.
 */
export const withoutHandlers = (html: string): string =>
  html.replaceAll(TAG, (tag) => tag.replaceAll(HANDLER, '$1'))
