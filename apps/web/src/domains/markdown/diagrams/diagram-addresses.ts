/** Of pictures and fonts elsewhere, and of other style sheets; a sign of CSS may be written by its number. */
const ADDRESS = /url\s*\(|@import|image-set|\bsrc\s*=|\bimg\s*:|\bicon\s*:\s*["']?https?|\\[0-9a-f]/i

/** A line that gives colours or other style, in any kind of diagram. */
const STYLE_LINE =
  /\b(?:classDef|style|linkStyle|cssClass|fill|stroke|colou?r|background|font|theme\w*|rect|box|css|Update\w*Style|sprite)\b|\$\w+\s*=|@import|image-set/i

/** What a diagram says of itself, and properties of a node: `---`, `%%{ … }%%`, `@{ … }`; over several lines, or without an end. */
const SETTINGS =
  /^\s*---[^\S\n]*\n[\s\S]*?(?:\n\s*---[^\S\n]*(?:\n|$)|$)|%%\{[\s\S]*?(?:\}%%|$)|@\{[\s\S]*?(?:\}|$)/g

/** Tags and signs by their names or numbers: what is measured may be more than words then. Line breaks are not. */
const TAG_OR_SIGN = /<(?!br\s*\/?>)[a-z/!?]|[&#]#?\w+;/i

/**
 * Whether a diagram would have something fetched from elsewhere. What is said in its labels is words: `src = 1`, `\data`.
 */
export function namesAddress(source: string): boolean {
  if (TAG_OR_SIGN.test(source)) return ADDRESS.test(source)
  const settings = source.match(SETTINGS) ?? []
  const lines = source.replaceAll(SETTINGS, '\n').split(/[\n;]/)
  return [...settings, ...lines.filter((line) => STYLE_LINE.test(line))].some((part) => ADDRESS.test(part))
}
