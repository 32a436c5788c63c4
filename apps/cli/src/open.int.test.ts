import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CorpusShare, makeCorpusShare } from '../../../packages/seal/src/testing/corpus.ts'
import { dropleaf, place, usePlace } from './testing/world.ts'

usePlace()

/** Seeds for which the corpus contains a share with a text, a long text, several files, and a password. */
const TEXT = 0
const LONG_TEXT = 3
const FILES = 4
const PASSWORD = 2

const save = (share: CorpusShare, bytes = share.zip) => writeFile(join(place, `${share.name}.zip`), bytes)

async function saveFolder({ files }: CorpusShare, folder: string): Promise<void> {
  await mkdir(join(place, folder))
  for (const [name, bytes] of files) await writeFile(join(place, folder, name), bytes)
}

async function expectSaved({ items, text, title }: CorpusShare, folder: string): Promise<void> {
  for (const { path, bytes } of items) {
    const local = path.replaceAll('?', '_')
    expect(Buffer.compare(await readFile(join(place, folder, local)), bytes)).toBe(0)
  }
  const found = await readdir(join(place, folder), { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile())
  expect(files).toHaveLength(items.length + (text === null ? 0 : 1))
  const page = files.find(({ name }) => name.startsWith(`${title ?? 'page'}.`))
  if (text !== null) expect(await readFile(join(place, folder, page?.name ?? ''), 'utf8')).toBe(text)
}

test('an archive opens without a server, with the key as an argument, a link or a variable', async () => {
  const share = await makeCorpusShare(FILES)
  await save(share)
  const key = share.linkKey
  const ways: { args: string[]; env?: Record<string, string> }[] = [
    { args: [`#${key}`] },
    { args: [key] },
    { args: [`https://drop.example/s/x#${key}`] },
    { args: [], env: { DROPLEAF_SHARE_KEY: key } },
  ]
  for (const [at, { args, env = {} }] of ways.entries()) {
    const got = await dropleaf(['open', `${share.name}.zip`, ...args, '-o', `out${at}`], { env })
    expect(got).toEqual({ code: 0, out: `${join(place, `out${at}`)}\n`, err: '' })
    await expectSaved(share, `out${at}`)
  }
})

test('a copy opens from its folder or one of its files, also with the manifest in another folder', async () => {
  const share = await makeCorpusShare(FILES)
  await saveFolder(share, 'copy')
  for (const [at, args] of [['copy'], ['copy/0.dls'], ['copy/dropleaf.json']].entries()) {
    const got = await dropleaf(['open', ...args, `#${share.linkKey}`, '-o', `out${at}`])
    expect(got).toMatchObject({ code: 0, err: '' })
    await expectSaved(share, `out${at}`)
  }
  const elsewhere = new Map([...share.files].map(([name, bytes]) => [`${name}.x`, bytes]))
  await mkdir(join(place, 'facts'))
  await writeFile(join(place, 'facts', 'm'), elsewhere.get('manifest.bin.x') ?? '')
  await writeFile(join(place, 'facts', 'dropleaf.json'), elsewhere.get('dropleaf.json.x') ?? '')
  const split = ['open', 'copy/0.dls', '--manifest', 'facts/m', `#${share.linkKey}`, '-o', 'split']
  expect(await dropleaf(split)).toMatchObject({ code: 0 })
  await expectSaved(share, 'split')
})

test('a text is printed, also if it is too long for the manifest', async () => {
  for (const seed of [TEXT, LONG_TEXT]) {
    const share = await makeCorpusShare(seed)
    await save(share)
    const got = await dropleaf(['open', `${share.name}.zip`, `#${share.linkKey}`])
    expect(got).toEqual({ code: 0, out: share.text, err: '' })
  }
})

test('nothing is saved without the right key and password, and no message contains them', async () => {
  const share = await makeCorpusShare(PASSWORD)
  await save(share)
  const password = share.password ?? ''
  const other = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'
  const open = (key: string | null, word: string | null) =>
    dropleaf(['open', `${share.name}.zip`, ...(key === null ? [] : [`#${key}`]), '-o', 'out'], {
      env: word === null ? {} : { DROPLEAF_PASSWORD: word },
    })
  const refused = [
    await open(null, password),
    await open(share.linkKey.slice(1), password),
    await open(other, password),
    await open(share.linkKey, null),
    await open(share.linkKey, 'wrong word'),
  ]
  for (const { code, out, err } of refused) {
    expect([code, out]).toEqual([6, ''])
    expect(err.trim().split('\n')).toHaveLength(1)
    for (const secret of [share.linkKey, share.linkKey.slice(1), other, password, 'wrong word'])
      expect(err).not.toContain(secret)
  }
  expect(await readdir(place)).toEqual([`${share.name}.zip`])
  expect(await open(share.linkKey, password)).toMatchObject({ code: 0, err: '' })
  await expectSaved(share, 'out')
})

test('a key that starts with a dash is not parsed as an option', async () => {
  let share = await makeCorpusShare(TEXT)
  while (!share.linkKey.startsWith('-')) share = await makeCorpusShare(TEXT)
  await save(share)
  expect(await dropleaf(['open', `${share.name}.zip`, share.linkKey])).toMatchObject({ out: share.text })
})

test('a changed or truncated copy leaves no file that looks complete', async () => {
  const share = await makeCorpusShare(FILES)
  await saveFolder(share, 'copy')
  const object = share.files.get('0.dls') ?? new Uint8Array()
  const flipped = object.slice()
  flipped[object.length - 40] = (flipped[object.length - 40] ?? 0) ^ 1
  const open = () => dropleaf(['open', 'copy', `#${share.linkKey}`, '-o', 'out'])
  const saved = async () => {
    const entries = await readdir(join(place, 'out'), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }
  const whole = new Set(share.items.map(({ path }) => path.split('/').at(-1) ?? ''))
  for (const bytes of [flipped, object.slice(0, -1), object.slice(0, 31), Buffer.concat([object, object])]) {
    await writeFile(join(place, 'copy', '0.dls'), bytes)
    expect(await open()).toMatchObject({ code: 3, err: expect.stringContaining('changed or damaged') })
    for (const name of await saved()) {
      const item = share.items.find(({ path }) => path.endsWith(name) && whole.has(name))
      if (item) expect(Buffer.compare(await readFile(join(place, 'out', item.path)), item.bytes)).toBe(0)
      else expect(name).toMatch(/^page\.|^Title|\.part$/)
    }
  }
  await writeFile(join(place, 'copy', 'manifest.bin'), 'x'.repeat(600))
  expect(await open()).toMatchObject({ code: 6 })
  await writeFile(join(place, 'copy', 'dropleaf.json'), '{}')
  expect(await open()).toMatchObject({ code: 1, err: expect.stringContaining('not an encrypted copy') })
})
