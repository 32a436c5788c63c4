/** The heads of HTTP/1.1 that are written and read past Node's HTTP client, on connections without TLS. */

export const HEAD_MAX_BYTES = 64 * 1024
const HEAD_END = '\r\n\r\n'

/** What a value of a header may hold; anything else could begin a line of its own. */
const PLAIN_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

export const arePlain = (headers: Readonly<Record<string, string>>): boolean =>
  Object.values(headers).every((value) => PLAIN_VALUE.test(value))

/** @param request method and path. @param headers that are plain, see {@link arePlain}. */
export function headLines(request: string, headers: Readonly<Record<string, string>>): string {
  let lines = `${request} HTTP/1.1\r\n`
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`
  return `${lines}\r\n`
}

export interface Head {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Of the body; `null` where its end shows in another way, or what is said of it may be understood in two. */
  readonly sizeBytes: number | null
  /** What came behind it already. */
  readonly rest: Buffer
}

export const isHeadIn = (bytes: Buffer): boolean => bytes.includes(HEAD_END)

/** `null` for what is better left to an HTTP client: another version, lines that go on. Of a repeated header the first one counts. */
export function parseHead(bytes: Buffer): Head | null {
  const end = bytes.indexOf(HEAD_END)
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine) ?? []
  if (status === undefined) return null
  const headers = new Map<string, string>()
  let isRepeated = false
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === '') return null
    if (headers.has(key)) isRepeated = true
    else headers.set(key, value)
  }
  const size = headers.get('content-length') ?? ''
  const hasSize = /^\d{1,15}$/.test(size) && !headers.has('transfer-encoding') && !isRepeated
  return {
    status: Number(status),
    headers,
    sizeBytes: hasSize ? Number(size) : null,
    rest: bytes.subarray(end + HEAD_END.length),
  }
}
