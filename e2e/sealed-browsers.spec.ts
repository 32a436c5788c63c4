import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { hasBuckets, mountBucket } from './support/bucket.ts'
import { hasBrowser, startBrowser } from './support/engines/browsers.ts'
import {
  openItem,
  openLink,
  saveFile,
  sendFiles,
  type Sending,
  sendText,
  unlock,
} from './support/engines/journey.ts'
import { type Engine, type Profile, type Tab, textOf, waitFor } from './support/engines/tab.ts'
import { makeLongSound, VIDEO } from './support/media.ts'
import { bytesOf, hashOf, MIB } from './support/uploading.ts'
import { expect, test as base } from './support/worlds.ts'

/**
 * Tests encrypted bundles in Firefox, and between Firefox and Chromium. Files are sent to and read from a bucket.
 * Other journeys with encrypted bundles run only in Chromium.
 */

const PART = 8 * MIB
/** Contents of a file that is sent in three parts. */
const LARGE = bytesOf(2 * PART + MIB + 77, 'large')
/** Contents of a file that is too large for a phone to collect in memory. */
const SPOOLED = bytesOf(64 * MIB + 4321, 'spooled')
const SOUND_SECONDS = 1000

interface Fixtures {
  /** Writes files to the disk. @returns the options for sending these files from a browser */
  readonly prepare: (files: Readonly<Record<string, Uint8Array>>) => Promise<Sending>
  readonly openProfile: (engine: Engine) => Promise<Profile>
}

const test = base.extend<Fixtures, { readonly firefox: Engine; readonly chromium: Engine }>({
  firefox: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
    async ({}, use) => {
      const engine = await startBrowser('firefox')
      await use(engine)
      await engine.close()
    },
    { scope: 'worker' },
  ],
  chromium: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
    async ({}, use) => {
      const engine = await startBrowser('chromium')
      await use(engine)
      await engine.close()
    },
    { scope: 'worker' },
  ],
  prepare: async ({ admin, adminToken: token, server: { origin } }, use, testInfo) => {
    await use(async (files) => {
      const { configId: storageId } = await mountBucket(admin, `/browsers-${randomBytes(4).toString('hex')}`)
      const paths = await Promise.all(
        Object.entries(files).map(async ([name, bytes]) => {
          const path = testInfo.outputPath(name)
          await writeFile(path, bytes)
          return path
        }),
      )
      return { origin, token, storageId, paths }
    })
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
  openProfile: async ({}, use) => {
    const opened: Profile[] = []
    await use(async (engine) => {
      const profile = await engine.openProfile()
      opened.push(profile)
      return profile
    })
    for (const profile of opened) await profile.close()
  },
})

// Extends the timeout, because Firefox starts slowly on a busy machine.
test.describe.configure({ timeout: 360_000 })

test.skip(
  !hasBrowser('firefox'),
  'Firefox is not installed (Debian: apt-get install firefox-esr; FIREFOX_PATH names another one)',
)

async function expectSaved(
  profile: Profile,
  words: Parameters<typeof saveFile>[1],
  { tab, name, bytes }: { readonly tab: Tab; readonly name: string; readonly bytes: Uint8Array },
): Promise<void> {
  const path = await saveFile(profile, words, { tab, name, sizeBytes: bytes.length })
  expect(hashOf(await readFile(path))).toBe(hashOf(bytes))
}

/** Waits for the service worker. Without it, a recording is loaded as a whole. */
const hasServiceWorker = (tab: Tab) =>
  waitFor('service worker', () => tab.evaluate(() => (navigator.serviceWorker.controller ? true : null)))

/** Jumps to the middle of the open recording. */
const jump = (tab: Tab) =>
  tab.evaluate(async () => {
    const media = document.querySelector('audio')
    if (!media) throw new Error('There is no recording.')
    const seeked = new Promise((resolve) => media.addEventListener('seeked', resolve, { once: true }))
    media.currentTime = media.duration / 2
    await seeked
    const answer = await fetch(media.src, { headers: { Range: 'bytes=1000-1999' } })
    return {
      path: new URL(media.src).pathname.split('/')[1],
      time: media.currentTime,
      hasData: media.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA,
      range: [answer.status, (await answer.arrayBuffer()).byteLength],
    }
  })

test.describe('with a bucket', () => {
  test.skip(!hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')

  test('a folder that Firefox encrypts is the same in Firefox and in Chromium', async ({
    firefox,
    chromium,
    openProfile,
    prepare,
    words,
  }) => {
    const notes = Buffer.from('the notes of the trip')
    const sending = await prepare({
      'large.bin': LARGE,
      'notes.txt': notes,
      'v.webm': VIDEO,
      'long.wav': makeLongSound(SOUND_SECONDS),
    })
    const link = await sendFiles(await openProfile(firefox), words, { ...sending, folder: 'trip' })
    for (const engine of [firefox, chromium]) {
      const profile = await openProfile(engine)
      const tab = await openLink(profile, link)
      await openItem(tab, 'trip')
      await expectSaved(profile, words, { tab, name: 'large.bin', bytes: LARGE })
      await expectSaved(profile, words, { tab, name: 'notes.txt', bytes: notes })
      await hasServiceWorker(tab)
      await openItem(tab, 'long.wav')
      await waitFor('length of the recording', () =>
        tab.evaluate(
          (seconds) => (document.querySelector('audio')?.duration === seconds ? true : null),
          SOUND_SECONDS,
        ),
      )
      expect(await jump(tab)).toEqual({
        path: 's-media',
        time: SOUND_SECONDS / 2,
        hasData: true,
        range: [206, 1000],
      })
    }
  })

  test('a large file that Chromium encrypts is collected on the disk in Firefox', async ({
    firefox,
    chromium,
    openProfile,
    prepare,
    words,
  }) => {
    const link = await sendFiles(await openProfile(chromium), words, await prepare({ 'large.bin': SPOOLED }))
    const profile = await openProfile(firefox)
    const tab = await openLink(profile, link)
    // Simulates a phone. A phone collects fewer bytes in memory, so even this smaller file is collected on the disk.
    await tab.evaluate(() => {
      const ask = window.matchMedia.bind(window)
      const phone = '(hover: none) and (pointer: coarse)'
      window.matchMedia = (query) => ask(query === phone ? 'all' : query)
    })
    await expectSaved(profile, words, { tab, name: 'large.bin', bytes: SPOOLED })
    const spooled = await tab.evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('sealed-downloads')
      const sizes: number[] = []
      for await (const handle of folder.values())
        if (handle.kind === 'file') sizes.push((await handle.getFile()).size)
      return sizes
    })
    expect(spooled).toContain(SPOOLED.length)
  })
})

/** Records the messages from the workers of a page, because the page does not show how it computes keys. */
const watchWorkers = (tab: Tab) =>
  tab.evaluate(() => {
    const Own = Worker
    const heard: string[] = []
    Object.assign(window, {
      heard,
      Worker: class extends Own {
        constructor(...args: ConstructorParameters<typeof Own>) {
          super(...args)
          this.addEventListener('message', ({ data }) => heard.push(...Object.keys(data as object)))
        }
      },
    })
  })

test('a password takes WebAssembly in Firefox, and opens a text in both browsers', async ({
  firefox,
  chromium,
  openProfile,
  server: { origin },
  adminToken: token,
  words,
}) => {
  const password = 'correct horse'
  const text = 'the secret text'
  const link = await sendText(await openProfile(firefox), words, { origin, token, text, password })
  for (const engine of [firefox, chromium]) {
    const tab = await openLink(await openProfile(engine), link)
    await textOf(tab, `//label[normalize-space()="${words.bundle.locked.password}"]`)
    await watchWorkers(tab)
    await unlock(tab, words, password)
    await textOf(tab, `//main//*[normalize-space()="${text}"]`)
    // With WebAssembly, the worker sends only the key. Without WebAssembly, it would also report progress.
    expect(await tab.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual(['key'])
  }
})
