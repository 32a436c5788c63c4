import { parse } from 'content-disposition'
import { describe, expect, test } from 'vitest'
import { allowsRange, matchesEtag, matchesStrongly, parseRange } from './bodies/byte-range.ts'
import { contentDisposition, isOfficeFile, previewType } from './bodies/content-headers.ts'
import { extensionOf, inferMimeType } from './mime.ts'

describe('ranges', () => {
  test('match a simple reference implementation for every small file and pair of positions', () => {
    for (let size = 0; size <= 6; size += 1) {
      for (let first = 0; first <= 7; first += 1) {
        for (let last = 0; last <= 7; last += 1) {
          const got = parseRange(`bytes=${first}-${last}`, size)
          const wanted =
            first >= size
              ? 'unsatisfiable'
              : last < first
                ? null
                : { firstByte: first, lastByte: Math.min(last, size - 1) }
          expect([size, first, last, got]).toEqual([size, first, last, wanted])
        }
        const open = parseRange(`bytes=${first}-`, size)
        expect(open).toEqual(first >= size ? 'unsatisfiable' : { firstByte: first, lastByte: size - 1 })
        const suffix = parseRange(`bytes=-${first}`, size)
        expect(suffix).toEqual(
          first === 0 || size === 0
            ? 'unsatisfiable'
            : { firstByte: Math.max(0, size - first), lastByte: size - 1 },
        )
      }
    }
  })

  test.each([undefined, '', 'bytes', 'bytes=-', 'bytes=0-1,2-3', 'items=0-1', 'bytes=0x1-2', 'bytes=1 - 2'])(
    '%j requests the whole file',
    (header) => expect(parseRange(header, 10)).toBeNull(),
  )

  test('tags match strongly or weakly, in lists, and with the wildcard', () => {
    expect(['"e"', 'W/"e"', '"x", "e"', '*', ' "e" '].map((h) => matchesEtag(h, 'e'))).toEqual(
      Array(5).fill(true),
    )
    expect([undefined, '"x"', 'e', '""', ''].map((h) => matchesEtag(h, 'e'))).toEqual(Array(5).fill(false))
    expect(['"e"', '"x", "e"', '*', ' "e" '].map((h) => matchesStrongly(h, 'e'))).toEqual(Array(4).fill(true))
    expect(['W/"e"', 'W/"e", "x"', '"x"', 'e'].map((h) => matchesStrongly(h, 'e'))).toEqual(
      Array(4).fill(false),
    )
    const body = { etag: 'e', modifiedAtMs: 1_000_500 }
    expect(allowsRange(undefined, body)).toBe(true)
    expect(allowsRange('"e"', body)).toBe(true)
    expect(allowsRange('W/"e"', body)).toBe(false)
    expect(allowsRange(new Date(1_000_000).toUTCString(), body)).toBe(true)
    expect(allowsRange(new Date(1_000_000).toUTCString(), { ...body, isTimeSetByClient: true })).toBe(false)
    expect(allowsRange(new Date(999_000).toUTCString(), body)).toBe(false)
    expect(allowsRange('nonsense', body)).toBe(false)
  })
})

const TYPES: Readonly<Record<string, string>> = {
  'text/javascript': 'js jsx',
  'text/typescript': 'ts tsx',
  'text/markdown': 'md markdown mdown mkd mdwn mdtxt mdtext rmd',
  'text/yaml': 'yml yaml',
  'application/toml': 'toml',
  'application/json': 'json jsonc json5',
  'application/xml': 'xml',
  'text/plain': 'txt ini conf env properties cfg config rc cnf settings lock manifest plist log eslintrc',
  'text/x-go': 'go',
  'text/x-rust': 'rs',
  'text/x-python': 'py',
  'text/x-c': 'c h',
  'text/x-c++': 'cpp cc',
  'text/x-sh': 'sh',
  'text/x-vue': 'vue',
  'text/x-scss': 'scss',
  'text/x-msdos-batch': 'bat cmd',
  'text/x-powershell': 'ps1',
  'text/x-proto': 'proto',
  'image/x-icon': 'ico',
  'image/png': 'png',
  'image/jpeg': 'jpg jpeg',
  'image/svg+xml': 'svg',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'video/x-matroska': 'mkv',
  'video/mp4': 'mp4',
  'application/pdf': 'pdf',
  'application/vnd.rar': 'rar',
  'application/x-msdownload': 'exe dll',
  'application/x-pem-file': 'pem key',
  'application/x-sqlite3': 'db sqlite',
  'application/x-ndjson': 'ndjson jsonl',
  'text/tab-separated-values': 'tsv',
  'text/csv': 'csv',
  'text/html': 'html htm',
  'application/octet-stream': 'zzz bin unknown',
}

describe('media types', () => {
  test.each(Object.entries(TYPES))('%s: %s', (type, extensions) => {
    for (const extension of extensions.split(' ')) {
      expect([extension, inferMimeType(`name.${extension}`)]).toEqual([extension, type])
      expect(inferMimeType(`A.B.${extension.toUpperCase()}`)).toBe(type)
    }
  })

  test('names without a dot are treated as an extension; unknown names are binary', () => {
    expect([inferMimeType('Dockerfile'), inferMimeType('Makefile')]).toEqual([
      'text/x-dockerfile',
      'text/x-makefile',
    ])
    expect(
      ['png', 'html', '', 'a.', '.', 'constructor', 'x.constructor', 'x.__proto__'].map(inferMimeType),
    ).toEqual(Array(8).fill('application/octet-stream'))
    expect([extensionOf('a.tar.GZ'), extensionOf('README'), extensionOf('.env')]).toEqual([
      'gz',
      'readme',
      'env',
    ])
  })

  test('previews: configuration files as plain text, other texts with their type in UTF-8, the rest unchanged', () => {
    const shown = (name: string) => previewType(name, inferMimeType(name))
    expect(shown('a.html')).toBe('text/html; charset=UTF-8')
    for (const name of ['a.json', 'a.xml', 'a.yaml', 'a.toml', 'a.csv', 'a.log', '.eslintrc', 'a.lock'])
      expect([name, shown(name)]).toEqual([name, 'text/plain; charset=UTF-8'])
    expect(shown('a.md')).toBe('text/markdown; charset=UTF-8')
    expect([shown('a.png'), shown('a.zip')]).toEqual(['image/png', 'application/zip'])
  })

  test('Office files are known by type or name', () => {
    for (const name of ['a.doc', 'a.docx', 'a.XLS', 'a.xlsx', 'a.ppt', 'a.pptx', 'a.odt', 'a.ods', 'a.odp'])
      expect([name, isOfficeFile(name, inferMimeType(name))]).toEqual([name, true])
    for (const name of ['a.pdf', 'a.txt', 'docx.zip', 'a.csv'])
      expect([name, isOfficeFile(name, inferMimeType(name))]).toEqual([name, false])
  })
})

test('a disposition is one line of ASCII from which the whole name can be parsed', () => {
  for (const name of [
    'a.txt',
    '报告.pdf',
    'a"b\\c%41.txt',
    "it's (1)*.txt",
    'x\r\nSet-Cookie: a=b',
    '😀',
    'lone \ud800',
    '',
  ]) {
    const text = contentDisposition('inline', name)
    expect(text).toMatch(/^inline; filename=[\x20-\x7e]*$/)
    const { type, parameters } = parse(text)
    expect([type, parameters['filename']]).toEqual(['inline', name.toWellFormed()])
  }
})
