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

/** Scripts of every name that browsers know, and of those they have forgotten; modules, style sheets and what transforms documents. */
const CODE = /(?:java|ecma|j|live|action|vb)script|wasm|\/css\b|xsl/i

/** The type under which bytes of others are sent: what a page could run, or dress itself with, comes as plain text or as a mere download. */
export function harmlessType(type: string): string {
  if (!CODE.test(type)) return type
  return /wasm/i.test(type) ? 'application/octet-stream' : 'text/plain; charset=UTF-8'
}

/** Whether an online viewer for office documents can show it. */
export const isOfficeFile = (filename: string, mimetype: string): boolean =>
  OFFICE_TYPES.test(mimetype) || OFFICE_EXTENSIONS.has(extensionOf(filename))

/** What a browser is told when it is to show the file: settings and data as plain text, every text as UTF-8. */
export function previewType(filename: string, mimetype: string): string {
  if (mimetype === 'text/html') return 'text/html; charset=UTF-8'
  if (CONFIG_TYPES.has(mimetype) || CONFIG_EXTENSIONS.has(extensionOf(filename)))
    return 'text/plain; charset=UTF-8'
  return mimetype.startsWith('text/') ? `${mimetype}; charset=UTF-8` : mimetype
}

const ACTIVE_TYPE =
  /^(?:text\/(?:html|xml|xsl)|application\/xml|message\/rfc822|multipart\/related)\b|\+xml\b/i

/** Whether browsers run what is in such a document when they show it by itself. */
export const isActiveType = (mimetype: string): boolean => ACTIVE_TYPE.test(mimetype)

/** A `Content-Disposition` with the name twice where it is not plain ASCII, so that every client understands one. */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const fallback = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return create(filename.toWellFormed(), { type: kind, fallback })
}
