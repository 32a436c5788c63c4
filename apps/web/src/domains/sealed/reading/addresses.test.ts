import { expect, test } from 'vitest'
import { createAddresses } from './addresses.ts'

function server() {
  const asked: (readonly number[])[] = []
  let hour = 0
  const now = { ms: 1_000_000 }
  const ask = async (objects: readonly number[]) => {
    asked.push(objects)
    hour += 1
    const expiresAtMs = now.ms + 3_600_000
    return objects.map((n) => ({ n, url: `s3/${n}/${hour}`, relayUrl: `relay/${n}`, expiresAtMs }))
  }
  return { asked, ask, now, nowMs: () => now.ms }
}

test('one request serves all objects, and its addresses are used until shortly before they end', async () => {
  const { asked, ask, now, nowMs } = server()
  const addresses = createAddresses({ ask, numbers: [0, 1, 2], nowMs })
  const found = await Promise.all([0, 2, 1].map((n) => addresses.find(n)))
  expect(found.map(({ url }) => url)).toEqual(['s3/0/1', 's3/2/1', 's3/1/1'])
  now.ms += 3_500_000
  await addresses.find(1)
  expect(asked).toEqual([[0, 1, 2]])
  now.ms += 60_000
  expect(await addresses.find(1)).toMatchObject({ url: 's3/1/2' })
  expect(asked).toEqual([
    [0, 1, 2],
    [1, 2],
  ])
})

test('a refused address is requested again, and at most a hundred at once', async () => {
  const { asked, ask, nowMs } = server()
  const numbers = Array.from({ length: 250 }, (_, n) => n)
  const addresses = createAddresses({ ask, numbers, nowMs })
  await addresses.find(0)
  await addresses.find(99)
  await addresses.find(100)
  expect(asked.map(({ length }) => length)).toEqual([100, 100])
  expect(await addresses.find(5, { isFresh: true })).toMatchObject({ url: 's3/5/3' })
})

test('a clock that is hours ahead does not cause a request for each read', async () => {
  const { asked, ask, now, nowMs } = server()
  const slow = async (objects: readonly number[]) =>
    (await ask(objects)).map((row) => ({ ...row, expiresAtMs: now.ms - 7_200_000 }))
  const addresses = createAddresses({ ask: slow, numbers: [0], nowMs })
  await addresses.find(0)
  await addresses.find(0)
  expect(asked).toHaveLength(1)
})

test('a failed request is repeated by the next reader', async () => {
  const { ask, nowMs } = server()
  let isAway = true
  const addresses = createAddresses({
    ask: async (objects) => {
      if (isAway) throw new Error('away')
      return ask(objects)
    },
    numbers: [0],
    nowMs,
  })
  await expect(addresses.find(0)).rejects.toThrow('away')
  isAway = false
  expect(await addresses.find(0)).toMatchObject({ relayUrl: 'relay/0' })
})
