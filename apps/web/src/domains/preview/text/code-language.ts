import { extensionOf, type FileKind, hasNoExtension } from '../kinds/file-kind.ts'

/** Languages by extension or by file name without extension, where these differ from the language's name. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  mjs: 'javascript',
  cjs: 'javascript',
  mts: 'typescript',
  cts: 'typescript',
  jsonc: 'json',
  json5: 'json',
  jsonl: 'json',
  ndjson: 'json',
  geojson: 'json',
  ipynb: 'json',
  har: 'json',
  map: 'json',
  webmanifest: 'json',
  vue: 'xml',
  svelte: 'xml',
  astro: 'xml',
  htm: 'xml',
  html: 'xml',
  xhtml: 'xml',
  svg: 'xml',
  mdx: 'markdown',
  h: 'cpp',
  tf: 'ini',
  conf: 'ini',
  cfg: 'ini',
  env: 'ini',
  editorconfig: 'ini',
  npmrc: 'ini',
  gitconfig: 'ini',
  bat: 'dos',
  fish: 'bash',
  bashrc: 'bash',
  zshrc: 'bash',
  profile: 'bash',
  jenkinsfile: 'groovy',
  gemfile: 'ruby',
  rakefile: 'ruby',
  vagrantfile: 'ruby',
  ml: 'ocaml',
  hs: 'haskell',
  ex: 'elixir',
  exs: 'elixir',
  erl: 'erlang',
  clj: 'clojure',
  tex: 'latex',
  bib: 'latex',
  asm: 'x86asm',
  vb: 'vbnet',
}

/** Returns the language for highlighting, or `null` if the file is not code. */
export function codeLanguage(name: string, kind: FileKind): string | null {
  const word = hasNoExtension(name) ? name.replace(/^\.+/, '').toLowerCase() : extensionOf(name)
  const known = BY_EXTENSION[word]
  if (known !== undefined) return known
  return kind === 'text' ? null : word
}
