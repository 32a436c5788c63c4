import { bundleAddress } from '../../bundles/bundle-address.ts'

/** Returns the absolute URL that opens an encrypted bundle. Browsers never send the part after `#` to a server. */
export const sealedAddress = (slug: string, linkKey: string): string => `${bundleAddress(slug)}#${linkKey}`
