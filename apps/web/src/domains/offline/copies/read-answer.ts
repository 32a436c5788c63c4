import type { RawAnswer } from '../../api/api-client.ts'
import type { SentRequest } from '../../../lib/api-error.ts'
import { noteCopy } from './copy-times.ts'
import { noteUncached } from './uncached-answers.ts'

/**
 * Reads the text of a response, and records whether the response is an offline copy. While no service worker is
 * active, also stores the response, so that the worker can cache it later.
 */
export async function readAnswer(response: Response, sent: SentRequest): Promise<RawAnswer> {
  const text = await response.text()
  if (sent.method === 'GET') {
    noteCopy(sent.url, response.headers)
    noteUncached(response, text, sent)
  }
  return { status: response.status, text, retryAfter: response.headers.get('Retry-After') }
}
