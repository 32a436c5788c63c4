/**
 * Letters that nobody sees, and that change how the others are read: controls, directions (`gpj.exe` turned into `exe.jpg`),
 * blanks of no width. What joins letters of scripts and pictures together stays as it is.
 */
const UNSEEN =
  /[\p{Cc}\p{Co}\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]/gu

export interface NamePart {
  /** Where it stands in the name. */
  readonly at: number
  readonly text: string
  /** It stands for a letter that is not seen. */
  readonly isUnseen: boolean
}

const codeOf = (letter: string) =>
  `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** A name as it can be shown, with the codes of what is not seen in it in its place. */
export function partsOfName(name: string): readonly NamePart[] {
  const parts: NamePart[] = []
  let end = 0
  for (const match of name.matchAll(UNSEEN)) {
    if (match.index > end) parts.push({ at: end, text: name.slice(end, match.index), isUnseen: false })
    parts.push({ at: match.index, text: codeOf(match[0]), isUnseen: true })
    end = match.index + match[0].length
  }
  if (end < name.length) parts.push({ at: end, text: name.slice(end), isUnseen: false })
  return parts
}

/** The same for places that hold nothing but letters. */
export const showInvisible = (name: string): string =>
  name.replaceAll(UNSEEN, (letter) => `[${codeOf(letter)}]`)
