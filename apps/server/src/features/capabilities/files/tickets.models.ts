import { createHash } from 'node:crypto'
import type { Secrets } from '../../../lib/secrets.ts'
import { lockOf } from '../../foundation/share-opening/share-opening.models.ts'
import type { FileRow } from './files.table.ts'

export const TICKET_SECONDS = 6 * 3600

type TicketFile = Pick<FileRow, 'id' | 'password_hash' | 'pin_hash' | 'generation'>

/** Returns the text to sign. A change of the password, the PIN or the generation invalidates all tickets. */
function statement(file: TicketFile, expiresAt: number): string {
  const keys = lockOf(file)
  const lock = keys === null ? '' : createHash('sha256').update(keys).digest('base64url')
  return JSON.stringify(['file-ticket', file.id, lock, expiresAt])
}

/** Issues a short-lived signature which shows that its holder has opened the share: `expiry.signature`. */
export function issueTicket(secrets: Secrets, file: TicketFile, nowMs: number): string {
  const expiresAt = Math.floor(nowMs / 1000) + TICKET_SECONDS
  return `${expiresAt}.${secrets.sign(statement(file, expiresAt))}`
}

export function isTicketValid(
  secrets: Secrets,
  file: TicketFile,
  { ticket, nowMs }: { ticket: string; nowMs: number },
): boolean {
  const [expiry = '', signature = ''] = ticket.split('.')
  const expiresAt = Number(expiry)
  return (
    Number.isInteger(expiresAt) &&
    expiresAt * 1000 > nowMs &&
    secrets.verify(statement(file, expiresAt), signature)
  )
}
