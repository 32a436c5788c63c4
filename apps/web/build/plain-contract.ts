import * as schemas from 'zod/mini'
import type { Plugin } from 'vite'

const LIBRARY = 'zod/mini'
const STAND_IN = '\0dropleaf:schemas'
const CONTRACT = /\/packages\/contract\/src\//

/** One thing that answers to every name and every call with itself, and makes no schema. */
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
 * Pages call routes by the contract and know answers by its types; to check them is the server's. The library of schemas, and
 * some hundred schemas that it would make before anything is drawn, are left out of them.
 */
export const plainContract: Plugin = {
  name: 'dropleaf:plain-contract',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === LIBRARY && importer !== undefined && CONTRACT.test(importer) ? STAND_IN : null,
  load: (id) => (id === STAND_IN ? standIn : null),
}
