import { basePath } from './base-path.ts'

/**
 * Where the browser knows Trusted Types, a text becomes HTML or the address of a script by a policy alone: that of our makers of
 * HTML, or that for everybody else, which is asked by the browser itself. Imported before all else that may draw.
 */

interface Rules {
  createHTML(html: string, type?: string, sink?: string): string
  createScriptURL?(address: string): string | null
}
/** As TypeScript has no types for them. */
interface Factory {
  createPolicy(name: string, rules: Rules): Pick<Rules, 'createHTML'>
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const ours = factory?.createPolicy('dropleaf', { createHTML: (html) => html })

/**
 * For the sanitiser, so that the one inside Mermaid can use the name that both would take; `null` without Trusted
 * Types.
 */
export const policyOfMakers = ours ?? null

/** HTML whose maker has escaped or sanitised what it was given: the renderer of Markdown, the highlighter, KaTeX. */
export const madeHtml = (html: string): string => ours?.createHTML(html) ?? html

/** Documents that run nothing: one that is only parsed, and those of frames, which have the policy of the page. */
const RUNS_NOTHING = /^DOMParser|srcdoc$/

const ADDRESSES: ReadonlySet<string> = new Set([
  'href',
  'xlink:href',
  'src',
  'action',
  'formaction',
  'data',
  'from',
  'to',
  'values',
])

const isScript = (address: string | null) =>
  // eslint-disable-next-line no-control-regex -- browsers leave them out of addresses
  address !== null && /^javascript:/i.test(address.replaceAll(/[\0-\x20]/g, ''))

/** @returns whether there was something. */
function removeScripts(root: DocumentFragment): boolean {
  let isChanged = false
  for (const element of root.querySelectorAll('*')) {
    if (element instanceof HTMLTemplateElement) isChanged = removeScripts(element.content) || isChanged
    if (element.localName === 'script') {
      element.remove()
      isChanged = true
    }
    for (const name of element.getAttributeNames()) {
      const runs =
        /^on/i.test(name) ||
        name === 'srcdoc' ||
        (ADDRESSES.has(name) && isScript(element.getAttribute(name)))
      if (!runs) continue
      element.removeAttribute(name)
      isChanged = true
    }
  }
  return isChanged
}

/** HTML of a library: the same, unless it would run something, which is left out then. */
export function withoutScripts(html: string): string {
  if (!html.includes('<')) return html
  const template = document.createElement('template')
  template.innerHTML = madeHtml(html)
  return removeScripts(template.content) ? template.innerHTML : html
}

/** The address of a script of ours, or of one that the app has made; `null` for any other. */
export function ownScript(address: string): string | null {
  const url = URL.parse(address, window.location.href)
  if (url?.origin !== window.location.origin) return null
  const isOurs =
    url.protocol === 'blob:' ||
    url.pathname.startsWith(`${basePath}/assets/`) ||
    url.pathname === `${basePath}/sw.js`
  return isOurs ? address : null
}

factory?.createPolicy('default', {
  createHTML: (html, _type, sink = '') => (RUNS_NOTHING.test(sink) ? html : withoutScripts(html)),
  createScriptURL: ownScript,
})
