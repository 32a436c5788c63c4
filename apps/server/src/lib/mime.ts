import { MARKDOWN_EXTENSIONS } from '@dropleaf/contract'
import { Mime } from 'mime'
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'

const OCTET_STREAM = 'application/octet-stream'

const group = (type: string, extensions: string): Array<[string, string]> =>
  extensions.split(' ').map((extension) => [extension, type])
const source = (names: Record<string, string>): Array<[string, string]> =>
  Object.entries(names).flatMap(([language, extensions]) => group(`text/x-${language}`, extensions))

/**
 * Types that the common tables lack or define differently: mostly text and source code, which browsers show rather than
 * download.
 */
const OVERRIDES: ReadonlyMap<string, string> = new Map([
  ...group('text/markdown', MARKDOWN_EXTENSIONS.join(' ')),
  ...group('text/javascript', 'js jsx mjs cjs'),
  ...group('text/typescript', 'ts tsx mts cts'),
  ...group('text/yaml', 'yml yaml'),
  ...group('application/toml', 'toml'),
  ...group('application/json', 'json jsonc json5'),
  ...group('application/xml', 'xml'),
  ...group(
    'text/plain',
    'txt text ini conf env properties cfg config rc cnf settings lock manifest plist log eslintrc prettierrc babelrc stylelintrc gitignore gitattributes editorconfig npmrc nvmrc dockerignore',
  ),
  ...group('text/tab-separated-values', 'tsv'),
  ...group('application/x-ndjson', 'ndjson jsonl'),
  ...group('image/x-icon', 'ico'),
  ...group('audio/mp4', 'm4a'),
  ...group('video/x-matroska', 'mkv'),
  ...group('application/vnd.rar', 'rar'),
  ...group('application/x-msdownload', 'exe dll'),
  ...group('application/x-pem-file', 'pem key'),
  ...group('application/x-sqlite3', 'db sqlite sqlite3'),
  ...source({
    go: 'go',
    rust: 'rs',
    ruby: 'rb',
    python: 'py pyw',
    java: 'java',
    c: 'c h',
    'c++': 'cpp cc cxx hpp hh',
    csharp: 'cs',
    php: 'php',
    swift: 'swift',
    kotlin: 'kt kts',
    dart: 'dart',
    scala: 'scala',
    clojure: 'clj cljs',
    lua: 'lua',
    r: 'r',
    perl: 'pl pm',
    sh: 'sh',
    bash: 'bash',
    zsh: 'zsh',
    fish: 'fish',
    vue: 'vue',
    sass: 'sass',
    scss: 'scss',
    less: 'less',
    stylus: 'styl',
    coffeescript: 'coffee',
    elm: 'elm',
    haskell: 'hs',
    ocaml: 'ml mli',
    fsharp: 'fs fsx',
    vb: 'vb',
    pascal: 'pas',
    asm: 'asm s',
    'msdos-batch': 'bat cmd',
    powershell: 'ps1',
    proto: 'proto',
    dockerfile: 'dockerfile',
    makefile: 'makefile mk',
    cmake: 'cmake',
    gradle: 'gradle',
    tex: 'tex',
    bibtex: 'bib',
    rst: 'rst',
    asciidoc: 'adoc asciidoc',
    org: 'org',
  }),
])

const common = new Mime(standardTypes, otherTypes)

/** Returns the text after the last dot in lower case. A name without a dot is its own extension (`Dockerfile`). */
export function extensionOf(filename: string): string {
  return filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()
}

/** Returns the media type for a file name. The type that a client sends is never used. */
export function inferMimeType(filename: string): string {
  const extension = extensionOf(filename)
  const override = OVERRIDES.get(extension)
  if (override !== undefined) return override
  return filename.includes('.') ? (common.getType(extension) ?? OCTET_STREAM) : OCTET_STREAM
}

export const extensionFor = (mimetype: string): string | null => common.getExtension(mimetype)
