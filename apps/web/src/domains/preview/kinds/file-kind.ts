import { MARKDOWN_EXTENSIONS } from '@dropleaf/contract'

const FILE_KINDS = [
  'image',
  'video',
  'audio',
  'pdf',
  'markdown',
  'html',
  'text',
  'code',
  'document',
  'ebook',
  'sheet',
  'slides',
  'archive',
  'font',
  'database',
  'program',
  'other',
] as const
export type FileKind = (typeof FILE_KINDS)[number]

const words = (text: string) => text.split(' ')

const BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map(
  Object.entries({
    image: words('png jpg jpeg jfif gif webp avif svg bmp ico heic heif hif tif tiff apng'),
    video: words('mp4 m4v mov webm mkv avi ogv mpg mpeg wmv flv 3gp m3u8'),
    audio: words('mp3 m4a aac wav flac ogg oga opus wma mid midi'),
    pdf: ['pdf'],
    markdown: [...MARKDOWN_EXTENSIONS, 'mdx'],
    html: words('html htm xhtml'),
    text: words(
      'txt log csv tsv tab ini conf cfg properties env srt vtt ass lrc tex bib nfo rst adoc org m3u pls asc',
    ),
    code: words(
      'js mjs cjs jsx ts mts cts tsx json json5 jsonc xml yaml yml toml css scss less vue svelte py rb go rs java kt kts c h cc ' +
        'cpp hpp cs php swift sh bash zsh fish ps1 bat sql lua pl r dart scala clj ex exs erl hs ml gradle dockerfile makefile ' +
        'diff patch graphql proto tf jsonl ndjson geojson ipynb har webmanifest map vb vbs f90 asm nim zig v sv vhdl cmake mk ' +
        'plist xsd xsl xslt svelte astro hbs ejs pug sass styl coffee groovy jl elm fs fsx ml mli rkt lisp el tcl awk sed',
    ),
    document: words('doc docx docm dotx odt ott rtf pages'),
    ebook: words('epub mobi azw3'),
    sheet: words('xls xlsx xlsm xlsb xlt ods fods numbers'),
    slides: words('ppt pptx pptm ppsx odp key'),
    archive: words('zip gz tgz tar bz2 tbz2 xz txz 7z rar zst lz4 jar war ear xpi cbz cbr whl nupkg vsix'),
    font: words('ttf otf ttc woff woff2'),
    database: words('db sqlite sqlite3 mdb accdb'),
    program: words('exe msi dmg pkg deb rpm apk appimage iso'),
  } satisfies Partial<Record<FileKind, string[]>>).flatMap(([kind, extensions]) =>
    extensions.map((extension) => [extension, kind as FileKind] as const),
  ),
)

/** Kinds of files that are recognised by their full name. */
const BY_BARE_NAME: ReadonlyMap<string, FileKind> = new Map(
  Object.entries({
    text: words(
      'readme license licence copying copyright authors contributors maintainers changelog changes history news notice todo ' +
        'install version codeowners gitignore gitattributes gitmodules gitkeep dockerignore npmignore npmrc nvmrc ' +
        'node-version editorconfig prettierignore eslintignore htaccess htpasswd netrc hosts',
    ),
    code: words(
      'jenkinsfile vagrantfile gemfile rakefile procfile brewfile podfile caddyfile justfile bashrc bash_profile bash_aliases ' +
        'profile zshrc zprofile vimrc gitconfig prettierrc eslintrc babelrc stylelintrc browserslistrc',
    ),
  }).flatMap(([kind, names]) => names.map((name) => [name, kind as FileKind] as const)),
)

const BY_TYPE: readonly (readonly [RegExp, FileKind])[] = [
  [/^image\//, 'image'],
  [/^video\//, 'video'],
  [/^audio\//, 'audio'],
  [/^font\//, 'font'],
  [/^application\/pdf$/, 'pdf'],
  [/^text\/(?:x-)?markdown$/, 'markdown'],
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'html'],
  [/wordprocessing|msword|opendocument\.text/, 'document'],
  [/epub|mobipocket/, 'ebook'],
  [/spreadsheet|ms-excel/, 'sheet'],
  [/presentation|ms-powerpoint/, 'slides'],
  [/sqlite/, 'database'],
  [/json|javascript|typescript|xml|yaml|toml|x-sh|sql|\/css$/, 'code'],
  [/zip|x-tar|x-7z|rar|x-bzip|x-xz|java-archive/, 'archive'],
  [/^text\//, 'text'],
]

/** Generic media types. If a file has one of these types, its name is more informative. */
const VAGUE_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/**
 * Returns the extension in lower case, such as `env` for `.env`. For a name without a dot, returns the whole name.
 */
export const extensionOf = (filename: string): string =>
  /\.?([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''

/** Whether a name has no extension, such as `README` and `.profile`. */
export const hasNoExtension = (filename: string): boolean => !filename.replace(/^\.+/, '').includes('.')

function kindOfName(filename: string): FileKind | undefined {
  if (/^\.env(?:\.|$)/i.test(filename)) return 'text'
  const byExtension = BY_EXTENSION.get(extensionOf(filename))
  if (byExtension || !hasNoExtension(filename)) return byExtension
  return BY_BARE_NAME.get(filename.replace(/^\.+/, '').toLowerCase())
}

/**
 * Returns the kind of a file, which determines its icon, label and preview. An unknown file is `other`, because its
 * bytes are not assumed to be text.
 */
export function findFileKind({ mimetype, filename }: { mimetype: string; filename: string }): FileKind {
  const type = (mimetype.split(';')[0] ?? '').trim().toLowerCase()
  const byType = BY_TYPE.find(([pattern]) => pattern.test(type))?.[1]
  const byName = kindOfName(filename)
  // TypeScript files have the same extension as a rare video format, so servers can send them as `video/mp2t`.
  if (byName === 'code' && type === 'video/mp2t') return 'code'
  // Playlists have audio types but contain text.
  if (byName === 'text' && /mpegurl|scpls/.test(type)) return 'text'
  // Servers send source files as `text/plain` or `text/x-…`, so the name decides.
  const isVague = VAGUE_TYPES.has(type) || byType === 'text'
  if (isVague) return byName ?? byType ?? 'other'
  return byType ?? byName ?? 'other'
}
