import type { PublicFile } from '@dropleaf/contract'
import { addressParts, askEarlyData, type DrawEarly } from '../../lib/early-page.ts'
import { askEarly } from '../../lib/early-requests.ts'
import { element } from '../../lib/element.ts'
import { type FileKind, findFileKind } from '../../lib/file-kind.ts'
import { formatBytes } from '../../lib/format.ts'
import { detectLanguage, loadGroup } from '../../lib/i18n/languages.ts'
import { routeUrl } from '../../lib/route-url.ts'
import { readStored } from '../../lib/storage.ts'
import { decodeExactly, isTextual } from '../../lib/textual.ts'
import { showUnseen } from '../../lib/unseen-letters.ts'
import previewStyles from '../../ui/file-preview/file-preview.module.css'
import { HEAD_MAX_BYTES, WRAP_KEY } from '../../ui/file-preview/first-bytes.ts'
import { bytesUrlOf } from './bytes-url.ts'
import { isPlaylist, isTable, isTree } from '../../ui/file-preview/by-extension.ts'
import styles from './components/file-view.module.css'
import early from './early-file.module.css'

type Words = Awaited<ReturnType<typeof loadGroup<'files'>>>

/** More than any screen has room for. */
const DRAWN_LINES = 100
const DRAWN_LINE_CHARACTERS = 2000

const LINES: ReadonlySet<FileKind> = new Set(['text', 'code'])

/** Whether the file is shown as its own lines, and not as a table, a tree or a list of recordings. */
function isLines(file: PublicFile): boolean {
  const named = { name: file.filename }
  return LINES.has(findFileKind(file)) && ![isTable, isTree, isPlaylist].some((isOther) => isOther(named))
}

/** The beginning of a text, if it is one beyond doubt; the app looks closer at everything else. */
async function readBeginning(file: PublicFile): Promise<string | null> {
  const url = bytesUrlOf(file)
  if (url === null || file.size === 0 || !isLines(file)) return null
  const range = { Range: `bytes=0-${HEAD_MAX_BYTES - 1}` }
  const response = await askEarly(url, range).catch(() => null)
  if (!response?.ok) return null
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isCut = file.size > bytes.length
  return isTextual(bytes, isCut) ? decodeExactly(bytes, 'utf-8', isCut) : null
}

function drawLines(text: string): HTMLElement {
  const lines = text.split(/\r\n|\r|\n/, DRAWN_LINES)
  const drawn = lines.map((line) =>
    element('div', previewStyles['line'] ?? '', [line.slice(0, DRAWN_LINE_CHARACTERS)]),
  )
  const piece = element('div', previewStyles['piece'] ?? '', drawn)
  piece.style.counterReset = 'line 0'
  const code = element('div', `${previewStyles['code'] ?? ''} dl-code`, [piece])
  code.dataset['counted'] = 'true'
  const scroller = element('div', previewStyles['lines'] ?? '', [code])
  if (readStored(WRAP_KEY) !== 'off') scroller.dataset['wrap'] = 'true'
  const bar = element('div', `${previewStyles['bar'] ?? ''} ${early['bar'] ?? ''}`)
  const body = element('div', previewStyles['body'] ?? '', [
    element('div', previewStyles['text'] ?? '', [bar, scroller]),
  ])
  return element('section', previewStyles['preview'] ?? '', [body])
}

function drawHead(file: PublicFile, words: Words, language: string): HTMLElement {
  const kind = words.preview.kinds[findFileKind(file)]
  const title = element('div', styles['title'] ?? '', [
    element('h1', styles['name'] ?? '', [element('bdi', '', [showUnseen(file.filename)])]),
    element('p', styles['kind'] ?? '', [`${kind} · ${formatBytes(file.size, language)}`]),
  ])
  return element('header', styles['head'] ?? '', [element('div', styles['icon'] ?? ''), title])
}

/** What a share is, and the beginning of a text, in the markup of `FileView`. */
export const drawEarly: DrawEarly = async () => {
  const [, slug] = addressParts() ?? []
  if (!slug) return null
  const language = detectLanguage()
  // That of `fileRoutes.publicRead`, whose rules nobody needs here.
  const url = routeUrl('/api/public/files/:slug', { params: { slug } })
  const [file, words] = await Promise.all([askEarlyData<PublicFile>(url), loadGroup(language, 'files')])
  if (!file || (file.requires_password && !file.downloadUrl)) return null
  const parts = [drawHead(file, words, language)]
  if (file.remark) parts.push(element('p', styles['remark'] ?? '', [file.remark]))
  parts.push(element('div', `${styles['tools'] ?? ''} ${early['tools'] ?? ''}`))
  const text = await readBeginning(file)
  if (text !== null) parts.push(drawLines(text))
  const article = element('article', styles['page'] ?? '', parts)
  article.ariaLabel = showUnseen(file.filename)
  return article
}
