import { type IParagraphStyleOptions, LevelFormat } from 'docx'

/** Maximum number of list levels in Word. */
export const LEVELS = 9

export interface OrderedList {
  readonly reference: string
  readonly start: number
}

/** Returns the indentation of a list level, in twentieths of a point. */
export const indentOf = (level: number): number => 480 * (Math.min(level, LEVELS - 1) + 1)

const styleOf = (level: number) => ({ paragraph: { indent: { left: indentOf(level), hanging: 300 } } })

export function numberingOf(lists: readonly OrderedList[]) {
  const levels = Array.from({ length: LEVELS }, (_, level) => level)
  const plain = (reference: string, text: string) => ({
    reference,
    levels: levels.map((level) => ({ level, format: LevelFormat.BULLET, text, style: styleOf(level) })),
  })
  const ordered = lists.map(({ reference, start }) => ({
    reference,
    levels: levels.map((level) => ({
      level,
      format: LevelFormat.DECIMAL,
      text: `%${level + 1}.`,
      start,
      style: styleOf(level),
    })),
  }))
  return [plain('bullets', '•'), plain('tasks', ''), ...ordered]
}

const goesOnAt = (level: number): string => (level === 0 ? '' : ` ${level + 1}`)

/**
 * Returns the ID of the style for the second and later paragraphs of a list item. The first five levels use Word's
 * built-in styles.
 */
export const listContinueStyle = (level: number): string =>
  `ListContinue${goesOnAt(Math.min(level, LEVELS - 1))}`.replace(' ', '')

export const LIST_CONTINUE_STYLES: readonly IParagraphStyleOptions[] = Array.from(
  { length: LEVELS },
  (_, level) => ({
    id: listContinueStyle(level),
    name: `List Continue${goesOnAt(level)}`,
    basedOn: 'Normal',
    paragraph: { indent: { left: indentOf(level) } },
  }),
)

/** Returns the document properties found in the front matter. */
export function propertiesOf(root: HTMLElement) {
  const rows = [...root.querySelectorAll('table.front-matter tr')]
  const said = (...names: readonly string[]) => {
    const row = rows.find(({ firstElementChild: name }) =>
      names.includes(name?.textContent.trim().toLowerCase() ?? ''),
    )
    return row?.lastElementChild?.textContent.trim()
  }
  const [creator, description, keywords] = [
    said('author', 'authors'),
    said('description', 'summary'),
    said('keywords', 'tags'),
  ]
  return { ...(creator && { creator }), ...(description && { description }), ...(keywords && { keywords }) }
}
