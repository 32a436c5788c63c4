const COLUMNS = /(?:^| )columns-([\d-]+)/

/** Horizontal padding of a cell. */
const PADDING_PX = 24
const PADDING_PLACES = 3

function columnElement(places: number): HTMLTableColElement {
  const column = document.createElement('col')
  const letters = Math.max(1, places - PADDING_PLACES)
  // On a phone, a column must not be wider than the screen.
  column.style.width = `calc(min(${letters}ch, 60vw) + ${PADDING_PX}px)`
  return column
}

/** Gives all parts of a long table the same column widths, and adds a frame for scrolling. */
export function frameCutTables(root: ParentNode): void {
  for (const table of root.querySelectorAll<HTMLTableElement>('table.cut')) {
    const places = COLUMNS.exec(table.className)?.[1]?.split('-').map(Number) ?? []
    const columns = document.createElement('colgroup')
    columns.append(...places.map(columnElement))
    table.prepend(columns)
    const frame = document.createElement('div')
    frame.className = table.classList.contains('went-on') ? 'dl-cut-table went-on' : 'dl-cut-table'
    table.replaceWith(frame)
    frame.append(table)
  }
}
