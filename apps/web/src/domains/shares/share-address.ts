import { pasteRoutes } from '@dropleaf/contract'
import { paths } from '../../lib/paths.ts'
import { routeUrl } from '../api/route-url.ts'
import { serverAddress } from '../../lib/server-address.ts'

/** Absolute URLs of a text share, for copying. */

export const shareAddress = (slug: string): string => serverAddress() + paths.paste(slug)

export const rawAddress = (slug: string, password: string | null): string =>
  new URL(routeUrl(pasteRoutes.raw.path, { params: { slug }, query: { password } }), serverAddress()).href
