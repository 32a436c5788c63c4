import { LevelFormat } from 'docx'

/** Levels of lists that Word knows. */
export const LEVELS = 9

export interface OrderedList {
  readonly reference: string
  readonly start: number
}

const indentOf = (level: number) => ({
  paragraph: { indent: { left: 480 * (level + 1), hanging: 300 } },
})

/** How the lists of a document are numbered. */
export function numberingOf(lists: readonly OrderedList[]) {
  const levels = Array.from({ length: LEVELS }, (_, level) => level)
  const plain = (reference: string, text: string) => ({
    reference,
    levels: levels.map((level) => ({ level, format: LevelFormat.BULLET, text, style: indentOf(level) })),
  })
  const ordered = lists.map(({ reference, start }) => ({
    reference,
    levels: levels.map((level) => ({
      level,
      format: LevelFormat.DECIMAL,
      text: `%${level + 1}.`,
      start,
      style: indentOf(level),
    })),
  }))
  return [plain('bullets', '•'), plain('tasks', ''), ...ordered]
}

/** What the front matter says of the text, for the properties of the file. */
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
