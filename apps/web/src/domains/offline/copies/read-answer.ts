import type { RawAnswer } from '../../api/api-client.ts'
import type { SentRequest } from '../../../lib/api-error.ts'
import { noteCopy } from './copy-times.ts'
import { noteUnkept } from './unkept-answers.ts'

/** The text of an answer. It is noted whether it is a copy from this device, and for the service worker that is to keep one. */
export async function readAnswer(response: Response, sent: SentRequest): Promise<RawAnswer> {
  const text = await response.text()
  if (sent.method === 'GET') {
    noteCopy(sent.url, response.headers)
    noteUnkept(response, text, sent)
  }
  return { status: response.status, text, retryAfter: response.headers.get('Retry-After') }
}
