import {
  bundleReadingRoutes,
  INTENT_FROM_MS,
  type OpenBundle,
  type OpenSealedBundle,
  openingRoutes,
  type OpeningState,
  type PublicFile,
  type ReadablePaste,
} from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api-error.ts'
import { api } from '../../api/api-client.ts'
import { findOpenedDevice, forgetOldDevices, noteNotOpened, type SharePlace, takeDevice } from './device.ts'
import type { Intent } from './gesture-model.ts'

/** What a visitor enters to open a share. */
export interface Keys {
  readonly password?: string
  readonly pin?: string
}

/** A share. For an encrypted share, also the proof that this page has the key. */
export interface OpenedPlace extends SharePlace {
  readonly proof?: string
}

/** The contents of an opened share, by kind. */
export type Opened =
  | { readonly kind: 'paste'; readonly contents: ReadablePaste }
  | { readonly kind: 'file'; readonly contents: PublicFile }
  | { readonly kind: 'bundle'; readonly contents: OpenBundle | OpenSealedBundle }

/** The contents if the device can reopen the share. Otherwise the requirements for opening the share. */
export type Arrival =
  | { readonly isOpened: true; readonly opened: Opened }
  | { readonly isOpened: false; readonly state: OpeningState }

async function send(
  { kind, slug, proof }: OpenedPlace,
  body: Keys & { device: string; intent?: string },
): Promise<Opened> {
  const call = { params: { slug }, body }
  if (kind === 'paste') return { kind, contents: (await api(openingRoutes.openText, call)).data }
  if (kind === 'bundle') {
    const proven = { ...call, body: { ...body, ...(proof !== undefined && { proof }) } }
    return { kind, contents: (await api(bundleReadingRoutes.open, proven)).data }
  }
  return { kind, contents: (await api(openingRoutes.openFile, call)).data }
}

/** Whether the server has refused the request. A lost response is not a refusal. */
const isRefusal = (error: unknown) => error instanceof ApiError && error.kind === 'http' && error.status < 500

/** Opens a share with an intent. Uses one view, or none during the grace of this browser. @throws {ApiError} */
export async function openShare(place: OpenedPlace, input: Keys & { intent: string }): Promise<Opened> {
  const device = await takeDevice(place)
  try {
    return await send(place, { ...input, device })
  } catch (error) {
    if (isRefusal(error)) await noteNotOpened(place)
    throw error
  }
}

/** @returns `null` unless this browser can reopen the share */
async function comeBack(place: OpenedPlace): Promise<Opened | null> {
  const device = await findOpenedDevice(place)
  if (device === null) return null
  try {
    return await send(place, { device })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await noteNotOpened(place)
    return null
  }
}

/**
 * Requests an intent. `readyAtMs` is counted from the arrival of the response, because the clocks of server and
 * device can differ.
 */
export async function askIntent(place: SharePlace): Promise<Intent> {
  const { data } = await api(openingRoutes.intent, { params: place })
  return { token: data.intent, readyAtMs: Date.now() + INTENT_FROM_MS }
}

/** Reports that a program has clicked the hidden button. */
export async function reportTrap(place: SharePlace, intent: string): Promise<void> {
  await api(openingRoutes.trap, { params: place, body: { intent } })
}

/** Reopens the share if this browser has opened it before. Otherwise returns the requirements for opening it. */
export const arrivalQuery = (place: OpenedPlace) =>
  queryOptions({
    queryKey: ['opening', place.kind, place.slug],
    queryFn: async (): Promise<Arrival> => {
      const opened = await comeBack(place)
      if (opened) return { isOpened: true, opened }
      const { data } = await api(openingRoutes.state, { params: { kind: place.kind, slug: place.slug } })
      void forgetOldDevices()
      return { isOpened: false, state: data }
    },
    retry: false,
    gcTime: 0,
    staleTime: 'static',
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    meta: { isPrivate: true },
  })
