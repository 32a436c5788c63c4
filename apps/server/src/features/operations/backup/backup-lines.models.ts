/** Maximum length of a line in bytes, large enough for a text share of maximum size with every character escaped. */
const LINE_MAX_BYTES = 72 * 1024 * 1024

const NEWLINE = 0x0a

/**
 * Splits a stream of bytes into lines. A last line without a line break counts too, unless it is empty.
 * @throws {RangeError} for a line longer than `LINE_MAX_BYTES`
 */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let bytes = 0
  function add(part: Buffer): void {
    bytes += part.length
    if (bytes > LINE_MAX_BYTES) throw new RangeError('A line is too long.')
    if (part.length > 0) parts.push(part)
  }
  function take(): string {
    const line = Buffer.concat(parts).toString('utf8')
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of source) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    add(chunk.subarray(start))
  }
  if (bytes > 0) yield take()
}
