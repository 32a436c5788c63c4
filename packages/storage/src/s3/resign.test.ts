import { expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { createS3Driver } from './driver.ts'

const open = (pathStyle: boolean) =>
  createS3Driver({
    provider: 'Other',
    endpointUrl: 'https://s3.example.com:8443',
    bucket: 'bucket',
    region: 'eu-west-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret/+=',
    pathStyle,
    customHost: null,
    clock: { nowMs: () => Date.parse('2030-01-01T00:00:00Z') },
  })

/** Name → value, whatever the order. */
const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

test.each([true, false])(
  'parts that follow are signed as the SDK signs them (path style: %s)',
  async (pathStyle) => {
    for (const text of ['a.bin', "深 folder/it's (1)*!~+&=?#%41.bin"]) {
      const upload = { key: parseStorageKey(text), uploadId: "2~id/with+odd=signs'*" }
      const o = { expiresInSeconds: 3600 }
      await using fast = await disposable(open(pathStyle))
      await fast.driver.links.part(upload, 1, o)
      for (const partNumber of [2, 9999]) {
        await using slow = await disposable(open(pathStyle))
        const [made, wanted] = [
          await fast.driver.links.part(upload, partNumber, o),
          await slow.driver.links.part(upload, partNumber, o),
        ]
        expect(new URL(made).origin + new URL(made).pathname).toBe(
          new URL(wanted).origin + new URL(wanted).pathname,
        )
        expect(queryOf(made)).toEqual(queryOf(wanted))
      }
    }
  },
)

async function disposable(opening: ReturnType<typeof open>) {
  const driver = await opening
  return { driver, [Symbol.asyncDispose]: () => driver.close() }
}
