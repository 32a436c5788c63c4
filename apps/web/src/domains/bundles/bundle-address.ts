import { paths } from '../../lib/paths.ts'
import { serverAddress } from '../../lib/server-address.ts'

/** Returns the absolute URL of a bundle, for copying. */
export const bundleAddress = (slug: string): string => serverAddress() + paths.bundle(slug)
