import type { Locator, PlaywrightTestOptions } from '@playwright/test'
import { type Language, languageOf } from '../../apps/web/src/locales/languages.ts'
import { loadWordsOf, type Words } from '../../apps/web/src/testing/words.ts'
import type { Api } from './api.ts'
import { hasBuckets, mountBucket } from './bucket.ts'
import { makePlace, type Place } from './place.ts'
import { test as base } from './test.ts'

/** The storage, language and device of a test. */
export interface World {
  readonly storage: 'disk' | 'bucket'
  readonly language: Language
  readonly device: 'desktop' | 'phone'
}

const HOME: World = { storage: 'disk', language: 'en-US', device: 'desktop' }

/** Two worlds that cover each storage, language and device once. */
const OPPOSITE_WORLDS: readonly World[] = [HOME, { storage: 'bucket', language: 'zh-CN', device: 'phone' }]

type Screen = Pick<PlaywrightTestOptions, 'viewport' | 'hasTouch' | 'isMobile'>

const SCREENS: Readonly<Record<World['device'], Screen>> = {
  desktop: { viewport: { width: 1280, height: 800 }, hasTouch: false, isMobile: false },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
}

export type { Words } from '../../apps/web/src/testing/words.ts'

const BUCKET_PATH = '/worlds'
/** Buckets, keyed by the API client of a worker's administrator. A bucket is created when the first test needs it. */
const buckets = new WeakMap<Api, Promise<unknown>>()

async function mountPathOf({ storage }: World, admin: Api): Promise<string> {
  if (storage === 'disk') return '/local'
  const bucket = buckets.get(admin) ?? mountBucket(admin, BUCKET_PATH)
  buckets.set(admin, bucket)
  await bucket
  return BUCKET_PATH
}

/** Whether to run each test in every world. Otherwise the title of a test selects its world. */
const IN_EVERY_WORLD = process.env['EVERY_WORLD'] === '1'

const sumOf = (title: string): number =>
  [...title].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)

/** Returns one variant of a test, selected by the title, or all variants with `EVERY_WORLD=1`. */
export const inTurn = <Form>(title: string, forms: readonly Form[]): readonly Form[] =>
  IN_EVERY_WORLD ? forms : forms.slice(sumOf(title) % forms.length).slice(0, 1)

/** Distributes tests evenly over the worlds. The same title always gives the same world. */
const worldOf = (title: string): World =>
  hasBuckets() ? (OPPOSITE_WORLDS[sumOf(title) % OPPOSITE_WORLDS.length] ?? HOME) : HOME

interface WorldFixtures {
  /** Skips a test that runs in the other world. */
  turn: undefined
  world: World
  /** Texts of the product in the language of the world. */
  words: Words
  /** A new empty folder on the storage of the world. */
  place: Place
  /** Taps on a phone, clicks on a desktop. */
  press: (target: Locator) => Promise<void>
}

/** Test with the fixtures of a world, for use inside {@link inOppositeWorlds}. */
export const test = base.extend<WorldFixtures & { isOfWorlds: boolean }>({
  isOfWorlds: [false, { option: true }],
  turn: [
    async ({ isOfWorlds, world }, use, testInfo) => {
      const isElsewhere = isOfWorlds && !IN_EVERY_WORLD && worldOf(testInfo.title).language !== world.language
      testInfo.skip(isElsewhere, 'it is made in the other world; EVERY_WORLD=1 makes it in both')
      await use(undefined)
    },
    { auto: true },
  ],
  world: [HOME, { option: true }],
  words: async ({ world }, use) => {
    await use(await loadWordsOf(languageOf(world.language)))
  },
  place: async ({ world, admin, adminToken, baseURL: origin = '' }, use, testInfo) => {
    const isMissing = world.storage === 'bucket' && !hasBuckets()
    testInfo.skip(isMissing, 'there is no S3 server, as ALLOW_SKIP=s3 allows')
    const mountPath = await mountPathOf(world, admin)
    await use(await makePlace({ admin, adminToken, origin, mountPath }))
  },
  press: async ({ world }, use) => {
    await use((target) => (world.device === 'phone' ? target.tap() : target.click()))
  },
})

/**
 * Declares tests for two worlds. One is disk, English and desktop; the other is bucket, Chinese and phone. Each test
 * runs in one of them, or in both with `EVERY_WORLD=1`.
 */
export function inOppositeWorlds(declare: (world: World) => void): void {
  for (const world of OPPOSITE_WORLDS) {
    const { storage, language, device } = world
    test.describe(`${storage}, ${language}, ${device}`, () => {
      test.use({ world, isOfWorlds: true, locale: language, ...SCREENS[device] })
      declare(world)
    })
  }
}

type Values = Readonly<Record<string, string | number>>

/** Fills in the placeholders of a text, as in `say(words.explorer.selectOne, { name: 'a.txt' })`. */
export const say = (words: string, values: Values): string =>
  words.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    // English and Chinese group digits in the same way.
    return typeof value === 'number' ? value.toLocaleString('en-US') : String(value)
  })

export { expect } from './test.ts'
