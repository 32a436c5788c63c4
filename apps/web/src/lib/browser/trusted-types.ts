import { basePath } from './base-path.ts'

/**
 * Trusted Types policies. Text becomes HTML or a script URL only through a policy. Code that produces HTML uses our own
 * policy. The browser calls the default policy in all other cases. Import this module before any rendering.
 */

interface Rules {
  createHTML(html: string, type?: string, sink?: string): string
  createScriptURL?(address: string): string | null
}
/** TypeScript has no types for Trusted Types. */
interface Factory {
  createPolicy(name: string, rules: Rules): Pick<Rules, 'createHTML'>
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const ours = factory?.createPolicy('dropleaf', { createHTML: (html) => html })

/**
 * Policy for the sanitiser. Without this policy, the sanitiser and its copy in Mermaid would use the same policy name.
 * `null` if the browser does not support Trusted Types.
 */
export const policyOfMakers = ours ?? null

/** Trusts HTML whose producer escapes or sanitises its input: the Markdown renderer, the highlighter, KaTeX. */
export const madeHtml = (html: string): string => ours?.createHTML(html) ?? html

/** Sinks that run no scripts: parsed documents, and frames, which inherit the page's CSP. */
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
  // eslint-disable-next-line no-control-regex -- browsers ignore control characters in URLs, so they are removed first
  address !== null && /^javascript:/i.test(address.replaceAll(/[\0-\x20]/g, ''))

/** @returns whether anything was removed */
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

/** Removes scripts from HTML that a library has produced. */
export function withoutScripts(html: string): string {
  if (!html.includes('<')) return html
  const template = document.createElement('template')
  template.innerHTML = madeHtml(html)
  return removeScripts(template.content) ? template.innerHTML : html
}

/** Returns a script URL of the app or of a blob; `null` for any other URL. */
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
