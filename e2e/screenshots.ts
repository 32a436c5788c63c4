import { mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleRoutes, sampleRoutes, storageConfigRoutes } from '@dropleaf/contract'
import { type Browser, chromium, type Page } from '@playwright/test'
import { type Language, languageOf, LANGUAGES } from '../apps/web/src/locales/languages.ts'
import { loadWordsOf, type Words } from '../apps/web/src/testing/words.ts'
import { logIn } from './support/api.ts'
import { startServer } from './support/server.ts'

/**
 * Updates the README's screenshots in every language from a new server. Run `npm run docs:screenshots` after a build,
 * and check every picture before committing it.
 */

const FOLDER = path.resolve(fileURLToPath(import.meta.url), '../../docs/images')
const MAX_BYTES = 150_000
const PASSWORD = 'violet harbour lamp'
const SCREEN = { width: 1280, height: 800 }

interface Scene {
  readonly page: Page
  readonly words: Words
  readonly origin: string
  readonly token: string
  readonly language: Language
}

/** Returns the HTML of a picture of a landscape in the given colors. */
const landscape = (sky: string, sun: string, far: string, near: string) =>
  `<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240" width="640" height="480">
<rect width="320" height="240" fill="${sky}"/><circle cx="228" cy="72" r="30" fill="${sun}"/>
<path d="M0 150l60-52 46 40 58-70 70 84 40-30 46 40v78H0z" fill="${far}"/>
<path d="M0 184c60-30 110-26 160-8s110 20 160-10v74H0z" fill="${near}"/></svg>`

const LANDSCAPES = [
  ['#dfeef7', '#fff4c2', '#8fb3c9', '#4d7f6a'],
  ['#fbe3cf', '#ff9e64', '#c98f8f', '#6d4f63'],
  ['#20304d', '#f4efc8', '#3c5078', '#182338'],
  ['#e6f2e4', '#ffe08a', '#9dc08b', '#44704a'],
  ['#f3e4f2', '#fff', '#b79bc0', '#6a5480'],
  ['#fdf1d8', '#f2b84b', '#d9b26f', '#8a6a3a'],
] as const

interface Names {
  readonly folder: string
  readonly pictures: readonly string[]
  readonly bundle: { readonly title: string; readonly text: string; readonly live: string }
}

/** Names and texts of the shown contents in each language. */
const NAMES: Readonly<Record<Language, Names>> = {
  'en-US': {
    folder: 'Lake trip',
    pictures: ['Morning.png', 'Sunset.png', 'Night.png', 'Meadow.png', 'Dusk.png', 'Autumn.png'],
    bundle: {
      title: 'Three days at the lake',
      text: 'Dear all, here is **everything in one link**: what we did, the best pictures, and the folder to which Sunday’s are still being added.',
      live: 'All pictures',
    },
  },
  'zh-CN': {
    folder: '湖边之行',
    pictures: ['清晨.png', '日落.png', '夜色.png', '草地.png', '黄昏.png', '秋日.png'],
    bundle: {
      title: '湖边三日',
      text: '各位好，**一个链接就是全部**：游记、最好看的几张照片，还有一个文件夹，周日的照片会陆续放进去。',
      live: '全部照片',
    },
  },
}

/** Saves a screenshot of the top of the page. @param height height of the captured part, in px */
async function take({ page, language }: Scene, name: string, height = SCREEN.height): Promise<void> {
  const suffix = language === 'en-US' ? '' : `.${language}`
  const file = path.join(FOLDER, `${name}${suffix}.png`)
  // Moves the pointer away to hide hover effects.
  await page.mouse.move(0, 0)
  await page.waitForTimeout(700)
  await writeFile(file, await page.screenshot({ clip: { x: 0, y: 0, width: SCREEN.width, height } }))
  const { size } = await stat(file)
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MAX_BYTES}.`)
  process.stdout.write(`${path.basename(file)} ${Math.round(size / 1000)} kB\n`)
}

const authorization = ({ token, language }: Scene) => ({
  authorization: `Bearer ${token}`,
  'accept-language': language,
})

async function putPictures(browser: Browser, scene: Scene): Promise<void> {
  const { folder, pictures } = NAMES[scene.language]
  const painter = await browser.newPage({ viewport: { width: 640, height: 480 } })
  for (const [index, colours] of LANDSCAPES.entries()) {
    const [sky, sun, far, near] = colours
    await painter.setContent(landscape(sky, sun, far, near))
    const target = new URL('/api/fs/upload', scene.origin)
    target.searchParams.set('path', `/local/${folder}/${pictures[index] ?? ''}`)
    const answer = await fetch(target, {
      method: 'PUT',
      headers: { ...authorization(scene), 'content-type': 'image/png' },
      body: new Uint8Array(await painter.screenshot()),
    })
    if (!answer.ok) throw new Error(`A picture could not be stored: ${answer.status} ${await answer.text()}`)
  }
  await painter.close()
}

/** Publishes a text with three pictures and the folder that contains all of them. @returns its link suffix */
async function makeBundle(scene: Scene): Promise<string> {
  const { folder, pictures, bundle } = NAMES[scene.language]
  const best = pictures.slice(0, 3)
  const call = async (route: { method: string; path: string }, id: string, body: object) => {
    const answer = await fetch(scene.origin + route.path.replace(':id', id), {
      method: route.method,
      headers: { ...authorization(scene), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`The bundle could not be made: ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string; slug: string } }).data
  }
  const cells = best.map((name) => `![](<${name}>)`)
  const text = `${bundle.text}\n\n| ${best.map((name) => name.slice(0, -'.png'.length)).join(' | ')} |\n| ${cells.map(() => '---').join(' | ')} |\n| ${cells.join(' | ')} |\n`
  const { id, slug } = await call(bundleRoutes.create, '', { slug: 'lake' })
  const items = [
    { path: bundle.live, source: { folder: { path: `/local/${folder}` } } },
    ...best.map((name) => ({
      path: name,
      source: { ref: { path: `/local/${folder}/${name}`, mode: 'pin' } },
    })),
  ]
  const manifest = { title: bundle.title, page: { text }, items }
  await call(bundleRoutes.publish, id, { manifest, expected_revision: 0 })
  return slug
}

async function makeSamples(scene: Scene) {
  const answer = await fetch(scene.origin + sampleRoutes.create.path, {
    method: sampleRoutes.create.method,
    headers: authorization(scene),
  })
  const { data } = (await answer.json()) as { data: { kind: string; at: string }[] }
  const slug = data.find(({ kind }) => kind === 'text')?.at ?? ''
  const text = await fetch(`${scene.origin}/api/raw/${slug}`)
  return { slug, text: await text.text() }
}

/** Adds a bucket whose connection test fails. */
async function addUnreachableBucket(scene: Scene): Promise<void> {
  await fetch(scene.origin + storageConfigRoutes.create.path, {
    method: storageConfigRoutes.create.method,
    headers: { ...authorization(scene), 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Photos',
      provider_type: 'Other',
      endpoint_url: 'https://s3.example.invalid',
      bucket_name: 'photos',
      region: '',
      access_key_id: 'ACCESS',
      secret_access_key: 'SECRET',
      path_style: true,
    }),
  })
}

async function takeAll(browser: Browser, language: Language): Promise<void> {
  const server = await startServer({ env: { ADMIN_PASSWORD: PASSWORD } })
  try {
    const context = await browser.newContext({
      viewport: SCREEN,
      locale: language,
      reducedMotion: 'reduce',
      colorScheme: 'light',
    })
    const page = await context.newPage()
    const words = await loadWordsOf(languageOf(language))
    const { origin } = server
    const scene: Scene = { page, words, origin, language, token: await logIn(origin, PASSWORD) }
    await page.goto(`${origin}/api/health`)
    await page.evaluate((token) => localStorage.setItem('admin_token', token), scene.token)

    await page.goto(`${origin}/admin/welcome?step=storage`)
    await page.getByText(words.welcome.storage.free).waitFor()
    // Replaces the temporary path of this script's data.
    await page
      .getByRole('main')
      .locator('code')
      .evaluate((code) => {
        code.textContent = '/srv/dropleaf/data/storage/local'
      })
    await take(scene, 'start', 668)

    const { slug, text } = await makeSamples(scene)
    await page.goto(origin)
    await page.getByRole('textbox', { name: words.home.editor }).click()
    await page.keyboard.insertText(text)
    await page.getByRole('heading', { level: 1 }).last().waitFor()
    await page.keyboard.press('Control+Home')
    await page.locator('.cm-scroller').evaluate((scroller) => scroller.scrollTo(0, 0))
    await take(scene, 'home')

    await page.goto(`${origin}/paste/${slug}`)
    await page.getByRole('table').waitFor()
    // Waits until the app has replaced the first rendering. The app draws diagrams only when they are near the
    // screen.
    await page.waitForTimeout(2000)
    await page.getByRole('table').evaluate((table) => {
      window.scrollTo(0, table.getBoundingClientRect().top + window.scrollY - 135)
    })
    await page.waitForTimeout(3000)
    await take(scene, 'text', 776)

    await putPictures(browser, scene)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${origin}/mount-explorer/local/${encodeURIComponent(NAMES[language].folder)}`)
    await page
      .getByText(NAMES[language].pictures[0] ?? '')
      .first()
      .waitFor()
    await page.getByRole('button', { name: words.explorer.view.grid }).click()
    await page.waitForTimeout(2500)
    await take(scene, 'explorer', 400)
    await page.emulateMedia({ colorScheme: 'light' })

    await page.goto(`${origin}/s/${await makeBundle(scene)}`)
    await page.getByRole('grid').waitFor()
    await page.waitForTimeout(2500)
    await take(scene, 'bundle')

    await addUnreachableBucket(scene)
    await page.goto(`${origin}/admin/storage-config`)
    await page.getByRole('button', { name: words.storages.testOf.replace('{{name}}', 'Photos') }).click()
    await page.getByText(words.storages.testing.verdicts.fails, { exact: true }).waitFor({ timeout: 60_000 })
    await page
      .getByText(words.storages.testing.browserVerdicts.fails, { exact: true })
      .waitFor({ timeout: 60_000 })
    await take(scene, 'doctor')
    await context.close()
  } finally {
    await server.stop()
  }
}

await mkdir(FOLDER, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  for (const { code } of LANGUAGES) await takeAll(browser, code)
} finally {
  await browser.close()
}
