import { ApiError } from '../../../lib/api-error.ts'

/** Services that fetch a document and display it as a page. */
export const ONLINE_SERVICES = ['microsoft', 'google'] as const
export type OnlineService = (typeof ONLINE_SERVICES)[number]

export const SERVICE_HOSTS: Readonly<Record<OnlineService, string>> = {
  microsoft: 'view.officeapps.live.com',
  google: 'docs.google.com',
}

const PAGES: Readonly<Record<OnlineService, string>> = {
  microsoft: `https://${SERVICE_HOSTS.microsoft}/op/embed.aspx?src=`,
  google: `https://${SERVICE_HOSTS.google}/viewer?embedded=true&url=`,
}

const isService = (name: string): name is OnlineService => Object.hasOwn(PAGES, name)
const invalid = () =>
  new ApiError({ kind: 'http', code: 'client.invalid_target', message: 'No slug and no address.' })

interface OnlineOptions {
  readonly provider: string
  /** Requests a short-lived URL for a share from our server. */
  readonly findUrl: (slug: string) => Promise<string>
}

/**
 * Returns the page of an online service that shows a document.
 * @param target the slug of a share, or an object with the `directUrl` of a file
 * @throws {ApiError} `client.invalid_target` for any other target, `client.unknown_provider`
 */
export async function onlineAddress(target: unknown, { provider, findUrl }: OnlineOptions): Promise<string> {
  if (!isService(provider))
    throw new ApiError({ kind: 'http', code: 'client.unknown_provider', message: `No provider: ${provider}` })
  if (typeof target === 'string' && target !== '')
    return PAGES[provider] + encodeURIComponent(await findUrl(target))
  if (typeof target !== 'object' || target === null || !('directUrl' in target)) throw invalid()
  const { directUrl } = target
  if (typeof directUrl !== 'string' || directUrl === '') throw invalid()
  return PAGES[provider] + encodeURIComponent(new URL(directUrl, location.href).href)
}
