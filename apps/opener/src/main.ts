import type { PortableCopy } from '@dropleaf/seal'
import { readChosen } from './copy.ts'
import { element } from './elements.ts'
import { inWords, OpenerError, openShare, readCopy } from './opening.ts'
import { showShare } from './shown.ts'
import { LANGUAGE, translate } from './texts.ts'

/** A page that opens portable copies of sealed bundles. The page sends no requests. */

const files = element('input', { type: 'file', id: 'files', multiple: true })
const key = element('input', {
  type: 'password',
  id: 'key',
  autocomplete: 'off',
  spellcheck: 'false',
})
const password = element('input', { type: 'password', id: 'password', autocomplete: 'off' })
const passwordLabel = element('label', { hidden: true }, translate('password'), password)
const submit = element('button', { type: 'submit' }, translate('open'))
const alert = element('p', { role: 'alert' })
const status = element('p', { role: 'status', class: 'dim' })
const result = element('section', { id: 'result', 'aria-live': 'polite' })

let copy: PortableCopy | null = null
/** Number of choices so far. */
let choices = 0

function fail(error: unknown): void {
  const { text, params } = inWords(error)
  alert.textContent = translate(text, params)
}

/** Reads the metadata of the chosen copy, which shows whether the copy has a password. */
async function choose(): Promise<void> {
  copy = null
  alert.textContent = ''
  result.replaceChildren()
  const chosen = [...(files.files ?? [])]
  if (chosen.length === 0) return
  choices += 1
  const choice = choices
  const read = await readCopy(await readChosen(chosen))
  // Another copy was chosen meanwhile.
  if (choice !== choices) return
  copy = read
  passwordLabel.hidden = copy.salts.kdf === null
}

/** Resolves after the browser has painted. Call before a computation that blocks the page. */
const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => void setTimeout(resolve)))

async function open(): Promise<void> {
  alert.textContent = ''
  result.replaceChildren()
  if (copy === null) await choose()
  if (copy === null) throw new OpenerError('noFiles')
  status.textContent = translate(copy.salts.kdf === null ? 'opening' : 'checking')
  await painted()
  result.replaceChildren(...showShare(await openShare(copy, { key: key.value, password: password.value })))
}

const form = element(
  'form',
  {},
  element('label', { class: 'drop' }, translate('files'), files),
  element('label', {}, translate('key'), key),
  passwordLabel,
  submit,
)

files.addEventListener('change', () => void choose().catch(fail))
form.addEventListener('submit', (event) => {
  event.preventDefault()
  submit.disabled = true
  void open()
    .catch(fail)
    .finally(() => {
      status.textContent = ''
      submit.disabled = false
    })
})

document.documentElement.lang = LANGUAGE
document.title = `${translate('title')} · Dropleaf`
// Like the link of the share, a link to this page can contain the key of the share after `#`.
key.value = location.hash.slice(1)
document
  .querySelector('#main')
  ?.append(
    element('h1', {}, translate('title')),
    element('p', { class: 'dim' }, translate('about')),
    ...(isSecureContext ? [form] : [element('p', { role: 'alert' }, translate('insecure'))]),
    alert,
    status,
    result,
  )
