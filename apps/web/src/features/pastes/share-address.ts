import { pasteRoutes } from '@dropleaf/contract'
import { paths } from '../../app/paths.ts'
import { routeUrl } from '../../lib/api-client.ts'

/** Whole addresses, for people to pass on. */

export const shareAddress = (slug: string): string => window.location.origin + paths.paste(slug)

export const rawAddress = (slug: string, password: string | null): string =>
  window.location.origin + routeUrl(pasteRoutes.raw.path, { params: { slug }, query: { password } })
