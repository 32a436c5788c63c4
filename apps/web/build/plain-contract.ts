import * as schemas from 'zod/mini'
import type { Plugin } from 'vite'

const LIBRARY = 'zod/mini'
const STAND_IN = '\0dropleaf:schemas'
const CONTRACT = /\/packages\/contract\/src\//

/** Replaces the schema library with a proxy that returns itself for every property and every call. */
const standIn = `
const inert = new Proxy(() => inert, {
  get(_target, name) {
    if (/^(?:safe)?(?:parse|encode|decode)/i.test(String(name))) throw new Error('No schema of the contract is in a page.')
    return inert
  },
  apply: () => inert,
})
/* @__NO_SIDE_EFFECTS__ */
function make() {
  return inert
}
export { ${Object.keys(schemas)
  .map((name) => `make as ${name}`)
  .join(', ')} }
`

/**
 * Removes the schema library and the contract's schemas from the pages. The pages need only routes and types, because
 * the server validates.
 */
export const plainContract: Plugin = {
  name: 'dropleaf:plain-contract',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === LIBRARY && importer !== undefined && CONTRACT.test(importer) ? STAND_IN : null,
  load: (id) => (id === STAND_IN ? standIn : null),
}
