import { bundleReadingRoutes, type OpenBundle, type OpenSealedBundle } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api, interpretReply } from '../../../domains/api/api-client.ts'
import { peekEarlyAnswer, takeEarlyAnswer } from '../../../domains/shares/early-answer.ts'
import { noteNotOpened, takeDevice } from '../../../domains/shares/opening/device.ts'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { findTicket, forgetTicket, storeTicket } from '../models/stored-ticket.ts'
import { parseOpened, shouldOpenAnew } from './bundle-reply.ts'

export const bundleKey = (slug: string) => ['bundles', slug] as const

/**
 * Rejects an encrypted bundle, because other code of the page opens encrypted bundles.
 * @throws {ApiError} `bundle.proof_missing`
 */
function openOnly(bundle: OpenBundle | OpenSealedBundle): OpenBundle {
  if (bundle.sealed === null) return bundle
  throw new ApiError({ kind: 'http', status: 401, code: 'bundle.proof_missing', message: '' })
}

function kept(bundle: OpenBundle | OpenSealedBundle): OpenBundle {
  const opened = openOnly(bundle)
  storeTicket(opened.slug, opened)
  return opened
}

/**
 * Opens a bundle. Uses one view, or none if this browser has opened the bundle after a confirmation and the grace has
 * not ended.
 * @throws {ApiError} also if the bundle requires confirmation or is encrypted
 */
export async function openBundle(slug: string, password?: string): Promise<OpenBundle> {
  const place = { kind: 'bundle', slug } as const
  const body = { device: await takeDevice(place), ...(password !== undefined && { password }) }
  try {
    const { data } = await api(bundleReadingRoutes.open, { params: { slug }, body })
    return kept(data)
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'http' && error.status < 500) await noteNotOpened(place)
    throw error
  }
}

/**
 * Reads the bundle with the stored ticket of this tab.
 * @returns `null` if there is no ticket, or if it is no longer valid
 */
async function readAgain(slug: string, signal: AbortSignal): Promise<OpenBundle | null> {
  const known = findTicket(slug)
  if (!known) return null
  const { ticket } = known
  try {
    const { data } = await api(bundleReadingRoutes.opened, { params: { slug }, query: { ticket }, signal })
    return openOnly(data)
  } catch (error) {
    if (!hasCode(error, 'bundle.ticket_invalid')) throw error
    forgetTicket(slug)
    return null
  }
}

/** Whether a bundle is encrypted. Uses no view. @throws {ApiError} */
export async function isSealedBundle(slug: string): Promise<boolean> {
  const { data } = await api(bundleReadingRoutes.look, { params: { slug } })
  return data.sealed !== null
}

function takeShown(slug: string): OpenBundle | undefined {
  const early = peekEarlyAnswer(slug)
  const bundle = early && parseOpened(early.answer)
  if (!bundle) return undefined
  takeEarlyAnswer(slug)
  return bundle
}

/** Each opening counts a view, so the query runs once, without retries or refetches. */
export const bundleQuery = (slug: string) =>
  queryOptions<OpenBundle>({
    queryKey: bundleKey(slug),
    queryFn: async ({ signal }) => {
      const early = takeEarlyAnswer(slug)
      if (early)
        return kept(
          (interpretReply(early.answer, early.sent) as { data: OpenBundle | OpenSealedBundle }).data,
        )
      const again = await readAgain(slug, signal)
      if (!again) return openBundle(slug)
      return shouldOpenAnew(again) ? openBundle(slug).catch(() => again) : again
    },
    initialData: () => takeShown(slug),
    structuralSharing: false,
    staleTime: 'static',
    retry: false,
    refetchOnReconnect: false,
    refetchOnMount: false,
  })

/**
 * Returns the number of the current revision, or `ended` if the server responds with a 4xx status other than 429.
 * @throws {ApiError} for any other error, which can be temporary
 */
export async function askRevision({ slug, ticket }: OpenBundle): Promise<number | 'ended'> {
  try {
    const { data } = await api(bundleReadingRoutes.current, { params: { slug }, query: { ticket } })
    return data.revision
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'http' && error.status < 500 && error.status !== 429)
      return 'ended'
    throw error
  }
}
