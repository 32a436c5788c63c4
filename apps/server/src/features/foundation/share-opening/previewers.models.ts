import { isbotMatches } from 'isbot'

const NAME_MAX_CHARACTERS = 60

/**
 * Matches the name of a program, optionally followed by a version. Excludes phrases, URLs and the word Mozilla, which
 * all browsers send.
 */
const NAME = /^(?!mozilla|https?$)[a-z][\w.-]*(?=\/|$)/i

/** Returns the whole word that contains a match, such as `Examplebot` for `bot`. */
function wordAround(text: string, part: string): string {
  const at = text.indexOf(part)
  const [before = ''] = /[\w.-]*$/.exec(text.slice(0, at)) ?? []
  const [after = ''] = /^[\w.-]*/.exec(text.slice(at + part.length)) ?? []
  return `${before}${part}${after}`
}

/** Returns the name of a known previewer, crawler, scanner or tool, or `null` for any other `User-Agent`. */
export function previewerOf(userAgent: string): string | null {
  for (const match of isbotMatches(userAgent)) {
    const [part] = NAME.exec(match) ?? []
    if (part !== undefined) return wordAround(userAgent, part).slice(0, NAME_MAX_CHARACTERS)
  }
  return null
}

/** Tools with which users fetch links themselves, and libraries of their scripts. */
const OWN_TOOLS = /^(?:curl|wget2?|httpie|xh|aria2|libfetch|lwp-request|powershell)(?:\/|$)/i
const LIBRARIES =
  /^(?:python|python-[a-z]+|node|node-fetch|undici|deno|bun|axios|got|java|okhttp|go-http-client|libwww-perl|ruby|php)\b/i

/**
 * Whether a `User-Agent` belongs to a program that creates link previews or crawls, and not to a user's own tool. If
 * the request accepts plain text, libraries and programs without a known name do not count as previewers, because
 * previewers never request plain text.
 */
export function isPreviewer(userAgent: string, { asksForText }: { asksForText: boolean }): boolean {
  if (previewerOf(userAgent) === null || OWN_TOOLS.test(userAgent)) return false
  if (!asksForText) return true
  return !LIBRARIES.test(userAgent) && isbotMatches(userAgent).some((match) => match !== userAgent)
}
