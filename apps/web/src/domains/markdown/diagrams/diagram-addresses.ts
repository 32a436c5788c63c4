/** Matches URLs of images, fonts and style sheets, and CSS escapes, which could hide a URL. */
const ADDRESS = /url\s*\(|@import|image-set|\bsrc\s*=|\bimg\s*:|\bicon\s*:\s*["']?https?|\\[0-9a-f]/i

/** Matches a line of a diagram that sets styles, which can contain URLs. */
const STYLE_LINE =
  /\b(?:classDef|style|linkStyle|cssClass|fill|stroke|colou?r|background|font|theme\w*|rect|box|css|Update\w*Style|sprite)\b|\$\w+\s*=|@import|image-set/i

/**
 * Matches diagram settings and node properties (`---`, `%%{ … }%%`, `@{ … }`). A match can span several lines and can
 * lack its end mark.
 */
const SETTINGS =
  /^\s*---[^\S\n]*\n[\s\S]*?(?:\n\s*---[^\S\n]*(?:\n|$)|$)|%%\{[\s\S]*?(?:\}%%|$)|@\{[\s\S]*?(?:\}|$)/g

/**
 * Matches tags and entities, except line breaks. Mermaid measures labels with tags or entities as HTML, which could
 * load resources.
 */
const TAG_OR_SIGN = /<(?!br\s*\/?>)[a-z/!?]|[&#]#?\w+;/i

/**
 * Whether a diagram could load something from a URL. In labels without tags and entities, `src = 1` and `\data` are
 * only text.
 */
export function namesAddress(source: string): boolean {
  if (TAG_OR_SIGN.test(source)) return ADDRESS.test(source)
  const settings = source.match(SETTINGS) ?? []
  const lines = source.replaceAll(SETTINGS, '\n').split(/[\n;]/)
  return [...settings, ...lines.filter((line) => STYLE_LINE.test(line))].some((part) => ADDRESS.test(part))
}
