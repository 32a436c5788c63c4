import type { ManifestItem } from '@dropleaf/seal'
import { button, element, formatBytes } from './elements.ts'
import { inWords, type OpenedShare } from './opening.ts'
import { saveItem, saveText } from './saving.ts'
import { translate } from './texts.ts'

/** Maximum size of a text that the page shows. Longer texts can only be saved. */
const SHOWN_MAX_BYTES = 1024 * 1024
const TEXT = /^text\/|^application\/(?:json|xml|toml|javascript|x-ndjson)$/

const isShown = ({ type, size }: ManifestItem): boolean => TEXT.test(type) && size <= SHOWN_MAX_BYTES

/** Shows an error next to the button of a row. */
function showError(alert: HTMLElement, error: unknown): void {
  const { text, params } = inWords(error)
  alert.textContent = translate(text, params)
}

function saveButton(share: OpenedShare, item: ManifestItem, alert: HTMLElement): HTMLButtonElement {
  const made = button(translate('save'), async () => {
    made.disabled = true
    alert.textContent = ''
    try {
      const onProgress = (doneBytes: number) => {
        const percent = Math.floor((100 * doneBytes) / Math.max(1, item.size))
        made.textContent = translate('saving', { percent })
      }
      const isSaved = await saveItem(share.sourceOf(item), { path: item.path, onProgress })
      made.textContent = translate(isSaved ? 'saved' : 'save')
    } catch (error) {
      made.textContent = translate('save')
      showError(alert, error)
    }
    made.disabled = false
  })
  made.setAttribute('aria-label', `${translate('save')}: ${item.path}`)
  return made
}

function showButton(share: OpenedShare, item: ManifestItem, row: HTMLElement): HTMLButtonElement {
  let shown: HTMLElement | null = null
  const made = button(translate('show'), async () => {
    made.disabled = true
    if (shown) {
      shown.remove()
      shown = null
      made.textContent = translate('show')
      made.disabled = false
      return
    }
    try {
      const bytes = await share.sourceOf(item).read(0, item.size)
      shown = element('pre', { tabindex: '0' }, new TextDecoder().decode(bytes))
    } catch (error) {
      shown = element('p', { role: 'alert' })
      showError(shown, error)
    }
    row.append(shown)
    made.textContent = translate('hide')
    made.disabled = false
  })
  return made
}

function itemRow(share: OpenedShare, item: ManifestItem): HTMLElement {
  const alert = element('p', { role: 'alert' })
  const row = element(
    'li',
    {},
    element('span', {}, item.path),
    element('span', { class: 'dim' }, formatBytes(item.size)),
  )
  if (isShown(item)) row.append(showButton(share, item, row))
  row.append(saveButton(share, item, alert), alert)
  return row
}

/** Returns elements that show the contents of a share. */
export function showShare(share: OpenedShare): Node[] {
  const { title, text, items } = share
  const nodes: Node[] = []
  if (title !== null) nodes.push(element('h2', { id: 'title' }, title))
  if (text !== null) {
    const name = `${title ?? 'page'}.txt`
    nodes.push(
      element('h2', {}, translate('text')),
      element('pre', { id: 'text', tabindex: '0' }, text),
      button(translate('save'), () => saveText(text, name)),
    )
  }
  if (items.length > 0)
    nodes.push(
      element('h2', {}, `${translate('items')} (${items.length})`),
      element('ul', { id: 'items' }, ...items.map((item) => itemRow(share, item))),
    )
  return nodes
}
