import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { FALLBACK, LANGUAGES } from '../src/locales/languages.ts'
import type { installed as chinese } from '../src/locales/zh-CN/installed.ts'
import { type FirstLanguage, runFirst } from './first-script.ts'

const WEB = join(import.meta.dirname, '..')

type InstalledWords = typeof chinese

async function wordsOf(code: string): Promise<InstalledWords> {
  const file = pathToFileURL(join(WEB, 'src/locales', code, 'installed.ts')).href
  const { installed } = (await import(file)) as { installed: InstalledWords }
  return installed
}

const manifestOf = (code: string): string =>
  code === FALLBACK.code ? 'manifest.webmanifest' : `manifest.${code}.webmanifest`

const icon = (name: string, purpose: string, size: number) => ({
  src: `icons/${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

const shortcut = (name: string, url: string) => ({
  name,
  url,
  icons: [{ src: 'icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
})

/**
 * Manifest entry for a screenshot in a language. If the screenshot does not exist in this language, the entry refers to
 * the fallback language.
 */
function screenshot(form: 'wide' | 'narrow', code: string, label: string) {
  const fileOf = (language: string) => `screenshots/${form}-${language}.png`
  const hasOwn = existsSync(join(WEB, 'public', fileOf(code)))
  const sizes = form === 'wide' ? '1280x800' : '720x1280'
  return { src: fileOf(hasOwn ? code : FALLBACK.code), sizes, type: 'image/png', form_factor: form, label }
}

const makeManifest = (code: string, words: InstalledWords) => ({
  id: '/',
  name: words.name,
  short_name: 'Dropleaf',
  description: words.description,
  lang: code,
  dir: 'ltr',
  start_url: '.',
  scope: '.',
  display: 'standalone',
  theme_color: '#2f8440',
  background_color: '#ffffff',
  categories: ['productivity', 'utilities'],
  icons: [icon('icon-192', 'any', 192), icon('icon-512', 'any', 512), icon('maskable-512', 'maskable', 512)],
  screenshots: [
    screenshot('wide', code, words.wideScreenshot),
    screenshot('narrow', code, words.narrowScreenshot),
  ],
  shortcuts: [
    shortcut(words.upload, 'upload'),
    shortcut(words.files, 'mount-explorer'),
    shortcut(words.admin, 'admin'),
  ],
  share_target: {
    action: 'share-target',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files', accept: ['*/*'] }] },
  },
  file_handlers: [
    {
      action: '.',
      accept: { 'text/markdown': ['.md', '.markdown'], 'text/plain': ['.txt', '.text', '.log'] },
    },
  ],
})

/** Builds the first script of each page, for all languages. */
function makeFirstScript(): string {
  const others = LANGUAGES.filter(({ code }) => code !== FALLBACK.code)
  const languages = [FALLBACK, ...others].map(({ code }): FirstLanguage => ({
    code,
    manifest: manifestOf(code),
  }))
  return `;(${runFirst.toString()})(${JSON.stringify(languages)})\n`
}

/** Creates the files that depend on the list of languages; returns the contents by file name. */
export async function makeLanguageFiles(): Promise<ReadonlyMap<string, string>> {
  const manifests = LANGUAGES.map(async ({ code }): Promise<[string, string]> => [
    manifestOf(code),
    `${JSON.stringify(makeManifest(code, await wordsOf(code)), null, 2)}\n`,
  ])
  return new Map([['theme.js', makeFirstScript()], ...(await Promise.all(manifests))])
}

/** Fills in the texts that a page shows before its script runs, such as `%words.description%`, in every language. */
async function fillPage(html: string): Promise<string> {
  const all = await Promise.all(
    [FALLBACK, ...LANGUAGES.filter((pack) => pack !== FALLBACK)].map(({ code }) => wordsOf(code)),
  )
  return html.replaceAll(/%words\.(\w+)%/g, (_, key: keyof InstalledWords) =>
    all.map((words) => words[key]).join(key === 'pageDescription' ? ' ' : ' · '),
  )
}

export const languageFiles: Plugin = {
  name: 'dropleaf:language-files',
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const name = /^\/(theme\.js|manifest[\w.-]*\.webmanifest)(?:\?|$)/.exec(request.url ?? '')?.[1]
      if (name === undefined) return next()
      const type = name === 'theme.js' ? 'text/javascript' : 'application/manifest+json'
      makeLanguageFiles().then(
        (files) => response.setHeader('content-type', `${type}; charset=utf-8`).end(files.get(name)),
        next,
      )
    })
  },
  async generateBundle() {
    for (const [fileName, source] of await makeLanguageFiles())
      this.emitFile({ type: 'asset', fileName, source })
  },
  transformIndexHtml: { order: 'pre', handler: fillPage },
}
