import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const BRACKETS = Buffer.alloc(64 * 1024, '[')

export interface Sender {
  readonly name: string
  readonly path: string
  readonly authorization: string | null
  /** `null` sends the body in chunks, without an announced length. */
  readonly announcedBytes: number | null
}

/** Sends one body, at most until the server responds. @returns the status; `none` without a response */
function sendOnce(url: URL, { path, authorization, announcedBytes }: Sender): Promise<string> {
  return new Promise((resolve) => {
    let status = 'none'
    const socket = connect(Number(url.port || 80), url.hostname)
    const lines = [
      `POST ${url.pathname}${path} HTTP/1.1`,
      `Host: ${url.host}`,
      'Content-Type: application/json',
      announcedBytes === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${announcedBytes}`,
      ...(authorization === null ? [] : [`Authorization: ${authorization}`]),
    ]
    let left = announcedBytes ?? 1024 ** 2
    const pump = () => {
      while (left > 0 && !socket.destroyed) {
        const piece = BRACKETS.subarray(0, left)
        left -= piece.length
        if (announcedBytes === null) socket.write(`${piece.length.toString(16)}\r\n`)
        const goesOn = socket.write(piece)
        if (announcedBytes === null) socket.write(left > 0 ? '\r\n' : '\r\n0\r\n\r\n')
        if (!goesOn) return
      }
    }
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.on('drain', pump)
    pump()
    socket.once('data', (answer: Buffer) => {
      status = /^HTTP\/1.1 (\d+)/.exec(answer.toString('latin1'))?.[1] ?? 'none'
      socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(status))
  })
}

export interface Task {
  readonly address: string
  readonly sender: Sender
  readonly count: number
  readonly seconds: number
}

/**
 * Sends bodies, `count` at a time, until `seconds` have passed. Runs in a separate thread, so that sending does not
 * delay the requests that are measured.
 * @returns the number of responses by status
 */
async function sendAll({ address, sender, count, seconds }: Task): Promise<Map<string, number>> {
  const until = performance.now() + seconds * 1000
  const statuses = new Map<string, number>()
  const send = async () => {
    while (performance.now() < until) {
      const status = await sendOnce(new URL(address), sender)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: count }, send))
  return statuses
}

// eslint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
parentPort?.postMessage(await sendAll(workerData as Task))
