import { paths } from '../../../lib/paths.ts'
import { serverAddress } from '../../../lib/server-address.ts'

export const fileShareUrl = (slug: string): string => serverAddress() + paths.file(slug)
