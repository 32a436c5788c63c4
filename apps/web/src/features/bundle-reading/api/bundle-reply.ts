import type { OpenBundle, OpenSealedBundle } from '@dropleaf/contract'

/** Parses a response. Returns `null` unless it contains an opened bundle that is not encrypted. */
export function parseOpened(answer: { status: number; text: string }): OpenBundle | null {
  if (answer.status !== 200) return null
  try {
    const reply = JSON.parse(answer.text) as { data?: OpenBundle | OpenSealedBundle }
    const opened = reply.data
    // A sealed bundle is not readable yet, because the app has to decrypt it.
    return opened?.manifest && opened.sealed === null ? opened : null
  } catch {
    return null
  }
}

/** Whether to open the bundle again. This is the case if there is a newer revision, and no view limit. */
export const shouldOpenAnew = ({
  revision,
  current_revision: current,
  max_views: limit,
}: OpenBundle): boolean => current > revision && limit === null

/** Whether a response reports that the ticket of its request is no longer valid. */
export const isTicketEnded = ({ status, text }: { status: number; text: string }): boolean =>
  status === 403 && text.includes('bundle.ticket_invalid')
