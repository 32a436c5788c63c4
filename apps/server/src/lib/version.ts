import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The product's own version. */
export const PRODUCT_VERSION: string = manifest.version
/** The level of the wire protocol that older clients know. */
export const PROTOCOL_VERSION = '0.7.0'
