const TAG = /<(\/?)span[^>]*>|\n/g

/**
 * Splits highlighted code into lines. If a tag is open at a line end, closes the tag there and opens it again in the
 * next line.
 */
export function splitHtmlLines(html: string): readonly string[] {
  const lines: string[] = []
  const open: string[] = []
  let line = ''
  let position = 0
  for (const match of html.matchAll(TAG)) {
    const [found, slash] = match
    line += html.slice(position, match.index)
    position = match.index + found.length
    if (found === '\n') {
      lines.push(line + '</span>'.repeat(open.length))
      line = open.join('')
    } else {
      line += found
      if (slash === '/') open.pop()
      else open.push(found)
    }
  }
  lines.push(line + html.slice(position))
  return lines
}
