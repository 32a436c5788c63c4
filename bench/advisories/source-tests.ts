/** Modifiers that always skip a test. Conditions that depend on a service are allowed. */
const NEVER = /\.(?:skip|todo|fixme)\b|\bskipIf\(\s*true\b|\brunIf\(\s*false\b|\bif \(false\)|\bskip: true\b/
const indentOf = (line: string) => line.length - line.trimStart().length
const isRest = (line: string) => /^\s*[\])}]/.test(line)

/**
 * Returns the index of the line where a statement begins, given the last line of its head (such as `) => {`). Relies on
 * the indentation of formatted source.
 */
function beginOf(source: readonly string[], end: number): number {
  let at = end
  while (at > 0 && isRest(source[at] ?? '')) {
    const indent = indentOf(source[at] ?? '')
    at -= 1
    while (at > 0 && (source[at] === '' || indentOf(source[at] ?? '') > indent)) at -= 1
  }
  return at
}

/** Returns the opening lines of all blocks that contain a line. */
function headsAround(source: readonly string[], line: number): string[] {
  const heads: string[] = []
  let indent = indentOf(source[line] ?? '')
  for (let at = line - 1; at >= 0 && indent > 0; at -= 1) {
    const one = source[at] ?? ''
    if (one === '' || indentOf(one) >= indent) continue
    indent = indentOf(one)
    const begin = beginOf(source, at)
    heads.push(source.slice(begin, at + 1).join('\n'))
    at = begin
  }
  return heads
}

/** Whether formatted source contains a test with this title that is not always skipped. */
export function runsTest(text: string, title: string): boolean {
  const source = text
    .replaceAll(/^\s*\/\*[^]*?\*\//gm, '')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('//'))
  return source.some((line, at) => {
    const column = ["'", '"', '`']
      .map((quote) => line.indexOf(`${quote}${title}${quote},`))
      .find((n) => n >= 0)
    if (column === undefined) return false
    // A title that does not fit on the line of `test(` follows on the next line.
    const end = line.slice(0, column).trim() === '' ? at - 1 : at
    const begin = beginOf(source, end)
    const head = [...source.slice(begin, at), line.slice(0, column)].join('\n')
    const options =
      source
        .slice(at, at + 3)
        .join('\n')
        .slice(column)
        .split('=>')[0] ?? ''
    return (
      /^\s*test(?:\.(?:each|skipIf|runIf)\([^]*\))?\(\s*$/.test(head) &&
      ![head, options.replaceAll(title, ''), ...headsAround(source, begin)].some((part) => NEVER.test(part))
    )
  })
}
