import { createHash } from 'node:crypto'
import { BUNDLE_TICKET_SECONDS } from '@dropleaf/contract'
import type { Secrets } from '../../../../lib/secrets.ts'
import { lockOf } from '../../../foundation/share-opening/share-opening.models.ts'
import type { BundleRow } from '../bundles.table.ts'

type TicketBundle = Pick<BundleRow, 'id' | 'expires_at_ms' | 'password_hash' | 'pin_hash' | 'generation'>

/** Returns the text to sign. A change of the password, the PIN or the generation invalidates all tickets. */
function statement(bundle: TicketBundle, revision: number, expiresAt: number): string {
  const keys = lockOf(bundle)
  const lock = keys === null ? '' : createHash('sha256').update(keys).digest('base64url')
  return JSON.stringify(['bundle-ticket', bundle.id, revision, lock, expiresAt])
}

/** Issues a ticket with which its holder can read a revision: `revision.expiry.signature`. */
export function issueTicket(
  secrets: Secrets,
  bundle: TicketBundle,
  { revision, nowMs }: { revision: number; nowMs: number },
): string {
  const endMs = Math.min(nowMs + BUNDLE_TICKET_SECONDS * 1000, bundle.expires_at_ms ?? Infinity)
  const expiresAt = Math.floor(endMs / 1000)
  return `${revision}.${expiresAt}.${secrets.sign(statement(bundle, revision, expiresAt))}`
}

/** Returns the revision that a ticket can read, or `null` if the ticket is invalid or has expired. */
export function revisionOfTicket(
  secrets: Secrets,
  bundle: TicketBundle,
  { ticket, nowMs }: { ticket: string; nowMs: number },
): number | null {
  const [number = '', expiry = '', signature = ''] = ticket.split('.')
  const revision = Number(number)
  const expiresAt = Number(expiry)
  const isWhole = Number.isInteger(revision) && Number.isInteger(expiresAt)
  const isValid =
    isWhole && expiresAt * 1000 > nowMs && secrets.verify(statement(bundle, revision, expiresAt), signature)
  return isValid ? revision : null
}
