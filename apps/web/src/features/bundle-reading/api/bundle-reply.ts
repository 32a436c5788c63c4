import type { OpenBundle } from '@dropleaf/contract'

/** Parses a response. Returns `null` if it does not contain an opened bundle. */
export function parseOpened(answer: { status: number; text: string }): OpenBundle | null {
  if (answer.status !== 200) return null
  try {
    const reply = JSON.parse(answer.text) as { data?: OpenBundle }
    return reply.data?.manifest ? reply.data : null
  } catch {
    return null
  }
}

/** Whether a response means that the ticket of the request is no longer valid. */
export const isTicketEnded = ({ status, text }: { status: number; text: string }): boolean =>
  status === 403 && text.includes('bundle.ticket_invalid')
