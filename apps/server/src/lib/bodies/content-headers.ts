import { create } from 'content-disposition'
import { extensionOf } from '../mime.ts'

const CONFIG_EXTENSIONS = new Set(
  'toml yaml yml json xml ini conf properties env cfg config rc cnf settings jsonc json5 eslintrc prettierrc babelrc stylelintrc lock manifest plist csv tsv log'.split(
    ' ',
  ),
)
const CONFIG_TYPES = new Set(['application/json', 'application/xml', 'text/yaml', 'application/toml'])
const OFFICE_EXTENSIONS = new Set('doc docx xls xlsx ppt pptx odt ods odp'.split(' '))
const OFFICE_TYPES =
  /wordprocessing|spreadsheet|presentation|^application\/(?:msword|vnd\.ms-excel|vnd\.ms-powerpoint)$/

/**
 * Matches script types that browsers run or used to run, WebAssembly modules, style sheets, and types that transform
 * documents.
 */
const CODE = /(?:java|ecma|j|live|action|vb)script|wasm|\/css\b|xsl/i

/**
 * Returns a safe media type for bytes of third parties. Types that a page could execute or use as a style sheet become
 * plain text or a download.
 */
export function harmlessType(type: string): string {
  if (!CODE.test(type)) return type
  return /wasm/i.test(type) ? 'application/octet-stream' : 'text/plain; charset=UTF-8'
}

export const isOfficeFile = (filename: string, mimetype: string): boolean =>
  OFFICE_TYPES.test(mimetype) || OFFICE_EXTENSIONS.has(extensionOf(filename))

/**
 * Returns the `Content-Type` for showing a file in the browser: settings and data as plain text, every text as UTF-8.
 */
export function previewType(filename: string, mimetype: string): string {
  if (mimetype === 'text/html') return 'text/html; charset=UTF-8'
  if (CONFIG_TYPES.has(mimetype) || CONFIG_EXTENSIONS.has(extensionOf(filename)))
    return 'text/plain; charset=UTF-8'
  return mimetype.startsWith('text/') ? `${mimetype}; charset=UTF-8` : mimetype
}

const ACTIVE_TYPE =
  /^(?:text\/(?:html|xml|xsl)|application\/xml|message\/rfc822|multipart\/related)\b|\+xml\b/i

/** Whether browsers run scripts in a document of this type when they open it directly. */
export const isActiveType = (mimetype: string): boolean => ACTIVE_TYPE.test(mimetype)

/**
 * Builds a `Content-Disposition`. A non-ASCII name is included in two forms, because some clients support only one of
 * the forms.
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const fallback = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return create(filename.toWellFormed(), { type: kind, fallback })
}
