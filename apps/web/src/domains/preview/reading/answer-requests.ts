import type { Answer } from './ask-worker.ts'

/** Makes a worker reply to each message with a result or an error. */
export function answerRequests(answer: (request: never) => unknown): void {
  const respond = async (request: unknown) => {
    let message: Answer<unknown>
    try {
      message = { result: await answer(request as never) }
    } catch (error) {
      message = { error: String(error) }
    }
    postMessage(message)
  }
  addEventListener('message', ({ data }: MessageEvent<unknown>) => void respond(data))
}
