import { paths } from '../../../lib/paths.ts'
import { serverAddress } from '../../../lib/server-address.ts'

/** URL of the page of a file share. */
export const fileShareUrl = (slug: string): string => serverAddress() + paths.file(slug)
