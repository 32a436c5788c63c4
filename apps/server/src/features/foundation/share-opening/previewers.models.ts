import { isbotMatches } from 'isbot'

const NAME_MAX_CHARACTERS = 60

/** A match that is a name or a part of one, maybe with a version: not a sentence, an address or the name of all browsers. */
const NAME = /^(?!mozilla|https?$)[a-z][\w.-]*(?=\/|$)/i

/** The whole word that a match is a part of, such as `Examplebot` for `bot`. */
function wordAround(text: string, part: string): string {
  const at = text.indexOf(part)
  const [before = ''] = /[\w.-]*$/.exec(text.slice(0, at)) ?? []
  const [after = ''] = /^[\w.-]*/.exec(text.slice(at + part.length)) ?? []
  return `${before}${part}${after}`
}

/** The name of a known preview, crawler, scanner or tool from its `User-Agent`; `null` for anything else. */
export function previewerOf(userAgent: string): string | null {
  for (const match of isbotMatches(userAgent)) {
    const [part] = NAME.exec(match) ?? []
    if (part !== undefined) return wordAround(userAgent, part).slice(0, NAME_MAX_CHARACTERS)
  }
  return null
}
