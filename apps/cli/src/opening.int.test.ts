import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { startFaultProxy } from '../../server/src/testing/fault-proxy.ts'
import { address, BASE, bytesOf, dropleaf, inPlace, noting, useServer } from './testing/world.ts'

useServer()

const stateOf = async (kind: 'paste' | 'file', slug: string) => {
  const answer = await fetch(`${address}/api/opening/${kind}/${slug}/state`)
  return ((await answer.json()) as { data: Record<string, unknown> }).data
}

test('a share with a view limit or a PIN asks before it opens, unless the options say otherwise', async () => {
  const text = (slug: string, ...more: string[]) =>
    dropleaf(['text', '--link', slug, ...more], { input: 'for one' })
  const file = await inPlace('a.bin', 'for one')
  expect((await text('limited', '--views', '2')).code).toBe(0)
  expect((await text('pinned', '--pin', '2468')).code).toBe(0)
  expect((await text('chosen', '--opening', 'ask')).code).toBe(0)
  expect((await text('plain')).code).toBe(0)
  expect((await text('direct', '--views', '2', '--opening', 'direct')).code).toBe(0)
  expect((await dropleaf(['file', file, '--link', 'limited', '--views', '2'])).code).toBe(0)
  expect((await dropleaf(['file', file, '--link', 'pinned', '--pin', '2468'])).code).toBe(0)
  expect(
    (await dropleaf(['file', file, '--link', 'direct', '--views', '2', '--opening', 'direct'])).code,
  ).toBe(0)
  for (const slug of ['limited', 'pinned', 'chosen'])
    expect(await stateOf('paste', slug)).toMatchObject({ opening: 'ask', requires_pin: slug === 'pinned' })
  for (const slug of ['plain', 'direct'])
    expect(await stateOf('paste', slug)).toMatchObject({ opening: 'direct' })
  for (const slug of ['limited', 'pinned'])
    expect(await stateOf('file', slug)).toMatchObject({ opening: 'ask', requires_pin: slug === 'pinned' })
  expect(await stateOf('file', 'direct')).toMatchObject({ opening: 'direct' })
  const wrong = await text('no', '--opening', 'later')
  expect([wrong.code, wrong.err]).toEqual([2, '--opening accepts ask or direct, not later.\n'])
  expect(await text('no', '--pin', '12')).toMatchObject({ code: 2, err: 'A PIN has 4 to 8 digits.\n' })
  const both = await text('no', '--pin', '1234', '--opening', 'direct')
  expect([both.code, both.err]).toEqual([3, 'A share with a PIN must ask before it opens.\n'])
})

test('get opens what asks, for one view, and needs its PIN and password; neither is in a URL', async () => {
  const seen: string[] = []
  await using proxy = await startFaultProxy(address, ({ url = '' }) => noting(seen, url))
  const env = { DROPLEAF_SERVER: proxy.url + BASE, DROPLEAF_PASSWORD: 'open sesame' }
  const pin = { DROPLEAF_PIN: '97531' }
  const bytes = randomBytes(3000)
  const name = await inPlace('b.bin', bytes)
  const options = ['--views', '1']
  expect(
    (await dropleaf(['text', '--link', 'a-text', ...options], { input: 'hi', env: { ...env, ...pin } })).code,
  ).toBe(0)
  expect(
    (await dropleaf(['file', name, '--link', 'a-file', ...options], { env: { ...env, ...pin } })).code,
  ).toBe(0)
  for (const slug of ['a-text', 'a-file']) {
    const got = (more: Record<string, string>) =>
      dropleaf(['get', slug, '-o', 'got.bin', '--force'], { env: more })
    const without = { DROPLEAF_SERVER: env.DROPLEAF_SERVER }
    expect(await got(without)).toMatchObject({ code: 6, err: expect.stringContaining('password') })
    expect(await got(env)).toMatchObject({
      code: 6,
      err: 'The share has a PIN. Use --pin or DROPLEAF_PIN.\n',
    })
    expect(await got({ ...env, DROPLEAF_PIN: '13579' })).toMatchObject({ code: 6, err: 'Wrong PIN.\n' })
    expect(await got({ ...env, ...pin })).toMatchObject({ code: 0, err: '' })
    expect((await bytesOf('got.bin')).equals(slug === 'a-text' ? Buffer.from('hi') : bytes)).toBe(true)
    expect(await got({ ...env, ...pin })).toMatchObject({ code: 4 })
    expect(await stateOf(slug === 'a-text' ? 'paste' : 'file', slug)).toMatchObject({ ended: 'used_up' })
  }
  expect(seen.length).toBeGreaterThan(6)
  expect(seen.filter((url) => /sesame|97531/i.test(url))).toEqual([])
})

test('a lost response uses no second view', async () => {
  let lost = 0
  await using proxy = await startFaultProxy(address, ({ url = '' }, response) => {
    if (!url.endsWith('/take') || lost > 0) return false
    lost += 1
    // The server opens the share, but its response never arrives.
    response.write = () => {
      response.destroy()
      return false
    }
    response.end = () => response.destroy()
    return false
  })
  const env = { DROPLEAF_SERVER: proxy.url + BASE }
  expect((await dropleaf(['text', '--link', 'once', '--views', '1'], { input: 'only once' })).code).toBe(0)
  expect(await dropleaf(['get', 'once'], { env })).toEqual({ code: 0, out: 'only once', err: '' })
  expect([lost, await stateOf('paste', 'once')]).toEqual([1, expect.objectContaining({ views_left: 0 })])
})
