import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  BUNDLE_TICKET_SECONDS,
  bundleErrors,
  bundleReadingRoutes,
  INTENT_FROM_MS,
  type OpenBundle,
  type OpenSealedBundle,
  openingRoutes,
  shareErrors,
} from '@dropleaf/contract'
import type { Sealed } from '@dropleaf/seal'
import { call, type Connection } from '../client.ts'
import { CliError, EXIT, hasCode, isUnreachable } from '../errors.ts'
import { askPin, readPassword, readPin, type Run } from '../run.ts'
import type { StateStore } from '../state.ts'

const TRIES = 3
const INTENTS_MAX = 3
const RETRY_DELAY_MS = 1000
const DEVICE_BYTES = 32
/** Adds a margin, because the clock of this machine can be slightly fast. */
const INTENT_WAIT_MS = INTENT_FROM_MS + 100

type Opened = OpenBundle | OpenSealedBundle

/** Whether a bundle is encrypted. Older servers do not send the field `sealed`. */
export const isSealed = <Facts extends { readonly sealed: number | null }>(
  facts: Facts,
): facts is Extract<Facts, { readonly sealed: number }> & Facts => typeof facts.sealed === 'number'

/** Stored state of an interrupted download of a bundle. */
export interface SavedOpening {
  /** Device token. If the response was lost, the token reopens the bundle without using another view. */
  readonly device: string
  /** `null` until the bundle is opened. */
  readonly opened: Opened | null
  readonly savedAtMs: number
}

interface Opening {
  readonly slug: string
  readonly state: StateStore<SavedOpening>
  /**
   * Proof that the caller has the key of a sealed bundle; `null` for a bundle that is not encrypted. The proof is not
   * stored.
   */
  readonly proof: Sealed<string> | null
}

/** Requests an intent and waits until it is valid. @returns the intent */
async function announce(connection: Connection, slug: string): Promise<string> {
  const params = { kind: 'bundle' as const, slug }
  const { data } = await call(connection, openingRoutes.intent, { params })
  await sleep(INTENT_WAIT_MS)
  return data.intent
}

async function requirePin(run: Run, cause?: unknown): Promise<string> {
  const pin = await askPin(run)
  if (pin === null) throw new CliError({ exitCode: EXIT.credential, text: 'get.pin', cause })
  return pin
}

interface Keys {
  readonly device: string
  readonly isKnownDevice: boolean
}

async function open(
  run: Run,
  connection: Connection,
  { slug, proof, device, isKnownDevice }: Keys & Omit<Opening, 'state'>,
): Promise<Opened> {
  const { data: needs } = await call(connection, openingRoutes.state, { params: { kind: 'bundle', slug } })
  // A sealed bundle needs no password here, because its proof is derived from the password.
  const password = proof === null ? await readPassword(run) : null
  if (proof === null && needs.requires_password && password === null)
    throw new CliError({ exitCode: EXIT.credential, text: 'get.password' })
  let pin = readPin(run)
  if (needs.requires_pin && pin === null) pin = await requirePin(run)
  let intents = 0
  const newIntent = () => {
    intents += 1
    return announce(connection, slug)
  }
  let intent = needs.opening === 'ask' && !isKnownDevice ? await newIntent() : null
  for (let tries = 1; ; tries += 1) {
    try {
      const body = { intent, device, password, pin, proof }
      return (await call(connection, bundleReadingRoutes.open, { params: { slug }, body })).data
    } catch (error) {
      const needsIntent = hasCode(error, shareErrors.intent_invalid.code, shareErrors.too_early.code)
      if (needsIntent && intents < INTENTS_MAX) intent = await newIntent()
      else if (hasCode(error, shareErrors.pin_missing.code)) pin = await requirePin(run, error)
      else if (isUnreachable(error) && tries < TRIES) await sleep(RETRY_DELAY_MS * tries)
      else throw error
    }
  }
}

/** Whether the ticket is invalid, although the bundle may still exist. */
const isTicketOver = (error: unknown): boolean => hasCode(error, bundleErrors.ticket_invalid.code)

/**
 * Whether the stored opening must be deleted after an error. After any other error, it remains, so that the user can
 * correct and repeat the command.
 */
export const isEnd = (error: unknown): boolean =>
  isTicketOver(error) ||
  (error instanceof CliError &&
    (error.exitCode === EXIT.notFound || error.exitCode === EXIT.refused) &&
    error.text !== 'get.no_item')

/** Finds the opening of an earlier attempt, if its ticket is still valid. */
async function findOpened(
  connection: Connection,
  { slug, state }: Pick<Opening, 'slug' | 'state'>,
  saved: SavedOpening | null,
): Promise<Opened | null> {
  if (!saved?.opened || Date.now() - saved.savedAtMs > BUNDLE_TICKET_SECONDS * 1000) return null
  const { ticket } = saved.opened
  try {
    await call(connection, bundleReadingRoutes.current, { params: { slug }, query: { ticket } })
    return saved.opened
  } catch (error) {
    if (!isTicketOver(error)) throw error
    await state.forget()
    return null
  }
}

/**
 * Opens a bundle, which uses one view, or resumes an earlier opening, which uses none. Reads the password and the PIN
 * from the options, the environment or the terminal.
 * @throws {CliError}
 */
export async function openBundle(
  run: Run,
  connection: Connection,
  { slug, state, proof }: Opening,
): Promise<{ opened: Opened; isResumed: boolean }> {
  const saved = await state.find()
  const before = await findOpened(connection, { slug, state }, saved)
  if (before) return { opened: before, isResumed: true }
  const isKnownDevice = saved !== null && saved.opened === null
  const device = isKnownDevice ? saved.device : randomBytes(DEVICE_BYTES).toString('base64url')
  await state.keep({ device, opened: null, savedAtMs: Date.now() })
  try {
    const opened = await open(run, connection, { slug, proof, device, isKnownDevice })
    await state.keep({ device, opened, savedAtMs: Date.now() })
    return { opened, isResumed: false }
  } catch (error) {
    // The server has refused the request, so the bundle was not opened.
    if (!isUnreachable(error)) await state.forget()
    throw error
  }
}
