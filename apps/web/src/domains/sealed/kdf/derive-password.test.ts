import { createKdf, derivePassword, type Kdf, SealError } from '@dropleaf/seal'
import { expect, test } from 'vitest'
import { createPasswordDerivation, type KdfWorker } from './derive-password.ts'
import type { KdfAnswer, KdfRequest } from './kdf-messages.ts'

/** Simulates the worker. Calls `answer` on this thread for each request. */
function fakeWorker(answer: (request: KdfRequest, send: (answer: KdfAnswer) => void) => Promise<void>) {
  const log: string[] = []
  const target = new EventTarget()
  const send = (data: KdfAnswer) => target.dispatchEvent(new MessageEvent('message', { data }))
  const worker: KdfWorker = {
    addEventListener: target.addEventListener.bind(target),
    postMessage: (request: unknown) => void answer(request as KdfRequest, send),
    terminate: () => void log.push('ended'),
  }
  return { worker, log, target }
}

const small: Kdf = { ...createKdf(), m: 19 * 1024, t: 1 }

test('a password gives the key of the package, tells the progress, and leaves no worker', async () => {
  const { worker, log } = fakeWorker(async ({ password, kdf }, send) => {
    send({ progress: 0.5 })
    send({ key: await derivePassword(password, kdf) })
  })
  const seen: number[] = []
  const key = await createPasswordDerivation(() => worker)('pass', small, (share) => seen.push(share))
  expect([...key]).toEqual([...(await derivePassword('pass', small))])
  expect(seen).toEqual([0.5])
  expect(log).toEqual(['ended'])
})

test('too demanding parameters are refused before a worker starts', async () => {
  const start = () => {
    throw new Error('A worker was started.')
  }
  const failure = createPasswordDerivation(start)('pass', { ...small, m: 300 * 1024 })
  await expect(failure).rejects.toMatchObject({ code: 'kdf.refused' })
})

test('a fault of the input keeps its code, and any other failure leaves no worker either', async () => {
  const refusing = fakeWorker(async (_request, send) => send({ failure: 'password.missing' }))
  const refused = createPasswordDerivation(() => refusing.worker)('', small)
  await expect(refused).rejects.toEqual(new SealError('password.missing'))
  const broken = fakeWorker(async () => void broken.target.dispatchEvent(new Event('error')))
  await expect(createPasswordDerivation(() => broken.worker)('x', small)).rejects.toThrow('could not')
  expect([refusing.log, broken.log]).toEqual([['ended'], ['ended']])
})
