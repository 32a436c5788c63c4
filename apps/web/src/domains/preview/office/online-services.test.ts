// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { getProvider } from '../providers.ts'
import { onlineAddress } from './online-services.ts'

const findUrl = (slug: string) => Promise.resolve(`https://storage.test/${slug}?x=1&y=2`)

test('a slug and a direct address lead to the page of a service', async () => {
  expect(await onlineAddress('abc', { provider: 'microsoft', findUrl })).toBe(
    'https://view.officeapps.live.com/op/embed.aspx?src=https%3A%2F%2Fstorage.test%2Fabc%3Fx%3D1%26y%3D2',
  )
  expect(await onlineAddress({ directUrl: 'https://a.test/b.docx' }, { provider: 'google', findUrl })).toBe(
    'https://docs.google.com/viewer?embedded=true&url=https%3A%2F%2Fa.test%2Fb.docx',
  )
})

test.each([[null], [undefined], [''], [7], [{}], [{ directUrl: '' }], [{ directUrl: 5 }], [[]]])(
  '%j is no target',
  async (target) => {
    await expect(onlineAddress(target, { provider: 'google', findUrl })).rejects.toMatchObject({
      code: 'client.invalid_target',
    })
  },
)

test('a provider that does not exist is an error, online and here', async () => {
  for (const provider of ['kkfileview', 'toString', ''])
    await expect(onlineAddress('abc', { provider, findUrl })).rejects.toMatchObject({
      code: 'client.unknown_provider',
    })
  expect(() => getProvider('toString')).toThrow(expect.objectContaining({ code: 'client.unknown_provider' }))
  expect(getProvider('pdf').name).toBe('pdf')
})
