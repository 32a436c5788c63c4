import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export const PRODUCT_VERSION: string = manifest.version
/** The protocol version that older clients expect. */
export const PROTOCOL_VERSION = '0.7.0'
