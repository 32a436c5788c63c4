import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { gatherBody } from './gather-body.ts'

test('a body of the announced length is returned completely', async () => {
  const body = Readable.from([Buffer.from('ab'), Buffer.from('cd')])
  expect((await gatherBody(body, { sizeBytes: 4 })).toString()).toBe('abcd')
  expect((await gatherBody(Readable.from([]), { sizeBytes: 0 })).length).toBe(0)
})

test('a longer, shorter or interrupted body is refused', async () => {
  const body = () => Readable.from([Buffer.from('ab'), Buffer.from('cd')])
  await expect(gatherBody(body(), { sizeBytes: 3 })).rejects.toMatchObject({ code: 'storage.too_large' })
  await expect(gatherBody(body(), { sizeBytes: 5 })).rejects.toMatchObject({ code: 'storage.incomplete' })
  const broken = new PassThrough()
  broken.write('ab')
  const gathered = gatherBody(broken, { sizeBytes: 4 })
  broken.destroy(new Error('gone'))
  await expect(gathered).rejects.toMatchObject({ code: 'storage.incomplete' })
  await expect(gatherBody(broken, { sizeBytes: 4 })).rejects.toMatchObject({ code: 'storage.incomplete' })
})

test('reading stops at the signal', async () => {
  const stop = new AbortController()
  const gathered = gatherBody(new PassThrough(), { sizeBytes: 4, signal: stop.signal })
  stop.abort(new Error('stopped'))
  await expect(gathered).rejects.toThrow('stopped')
})
