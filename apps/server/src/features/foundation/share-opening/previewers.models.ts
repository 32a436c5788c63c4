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

/** Returns the name of a known preview, crawler, scanner or tool, or `null` for any other `User-Agent`. */
export function previewerOf(userAgent: string): string | null {
  for (const match of isbotMatches(userAgent)) {
    const [part] = NAME.exec(match) ?? []
    if (part !== undefined) return wordAround(userAgent, part).slice(0, NAME_MAX_CHARACTERS)
  }
  return null
}

/** Programs with which people fetch links themselves. */
const OWN_TOOLS = /^(?:curl|wget2?|httpie|xh|aria2|libfetch|lwp-request|powershell)(?:\/|$)/i

/** Whether a `User-Agent` is of a program that makes link previews or crawls, rather than of somebody's own tool. */
export const isPreviewer = (userAgent: string): boolean => {
  const name = previewerOf(userAgent)
  return name !== null && !OWN_TOOLS.test(name)
}
