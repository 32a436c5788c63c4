import type { LockedPaste, ReadablePaste } from '@dropleaf/contract'

export type PasteReply = ReadablePaste | LockedPaste

export const isReadable = (reply: PasteReply): reply is ReadablePaste => 'content' in reply

/** Parses a response; `null` unless it contains a readable share. */
export function parseReadable(answer: { status: number; text: string }): ReadablePaste | null {
  if (answer.status !== 200) return null
  try {
    const reply = JSON.parse(answer.text) as PasteReply
    return typeof reply === 'object' && reply !== null && isReadable(reply) ? reply : null
  } catch {
    return null
  }
}
