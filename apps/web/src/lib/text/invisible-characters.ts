/**
 * Invisible characters that change how text is read: controls, directional overrides (`gpj.exe` displayed as
 * `exe.jpg`), zero-width spaces. Joiners of scripts and emoji are not included.
 */
const UNSEEN =
  /[\p{Cc}\p{Co}\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]/gu

export interface NamePart {
  /** Offset of the part in the name. */
  readonly at: number
  readonly text: string
  /** Whether the part stands for an invisible character. */
  readonly isUnseen: boolean
}

const codeOf = (letter: string) =>
  `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Splits a name into parts, with codes in place of invisible characters. */
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

/** Like {@link partsOfName}, but returns plain text. */
export const showInvisible = (name: string): string =>
  name.replaceAll(UNSEEN, (letter) => `[${codeOf(letter)}]`)
