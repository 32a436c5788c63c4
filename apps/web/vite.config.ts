import react from '@vitejs/plugin-react'
import type { Connect, Plugin } from 'vite'
import { defineConfig } from 'vite'
import pdfPackage from 'pdfjs-dist/package.json' with { type: 'json' }
import { languageFiles } from './build/language-files.ts'
import { pdfAssets } from './build/pdf-assets.ts'
import { plainContract } from './build/plain-contract.ts'

const PDF_ASSETS = `assets/pdf-${pdfPackage.version}`
const server = `http://127.0.0.1:${process.env['PORT'] ?? '8787'}`

/** Serves the small early pages of share links, as the product's server does. */
const serveSharePages: Connect.NextHandleFunction = (request, _response, next) => {
  if (/^\/paste\/[^/?#]+/.test(request.url ?? '')) request.url = '/paste.html'
  if (/^\/s\/[^/?#]+/.test(request.url ?? '')) request.url = '/bundle.html'
  next()
}

/** Makes URLs in pages start at the root, because pages are at several depths. The server prepends its base path. */
const rootedPages: Plugin = {
  name: 'dropleaf:rooted-pages',
  apply: 'build',
  transformIndexHtml: { order: 'post', handler: (html) => html.replaceAll(/(\s(?:href|src)=")\.\//g, '$1/') },
}

/** Share pages request the renderer together with their first script, instead of after it. */
const earlyRenderer: Plugin = {
  name: 'dropleaf:early-renderer',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { path, bundle = {} }) {
      if (path === '/index.html') return []
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const renderer = chunks.find(({ facadeModuleId }) =>
        facadeModuleId?.endsWith('/markdown/render/render.ts'),
      )
      if (!renderer) throw new Error('The renderer is not in the build.')
      const files = [renderer.fileName, ...renderer.imports].filter((file) => !html.includes(file))
      return files.map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
        injectTo: 'head',
      }))
    },
  },
}

const sharePages: Plugin = {
  name: 'dropleaf:share-pages',
  configureServer: ({ middlewares }) => {
    middlewares.use(serveSharePages)
  },
  configurePreviewServer: ({ middlewares }) => {
    middlewares.use(serveSharePages)
  },
}

/** Libraries that every page uses. They are in one file, because each requested file costs time. */
const FRAMEWORK =
  /node_modules\/(?:react|react-dom|scheduler|clsx|use-sync-external-store|i18next|react-i18next|@tanstack\/(?:react-query|query-core|react-router|router-core|history|react-store|store))\//

/**
 * Packages and component libraries that the app's code uses. They import nothing from the app. Excludes code that only
 * bundles need, because the first page does not need it.
 */
const BELOW =
  /\/(?:packages\/(?!seal\/|contract\/src\/(?:bundles\/|core\/limits|shares\/content-types))[^/]+\/src|node_modules\/(?:@mantine|@floating-ui))\//

/**
 * The app's code that every page needs. Excludes IndexedDB, uploads, readers of files and locale texts, which only some
 * pages need. Also excludes the libraries of the editors.
 */
const OWN =
  /\/apps\/web\/src\/(?!domains\/offline\/(?!components\/|install-prompt)|domains\/(?:bundles|sealed|transfers|preview\/reading)\/|locales\/)/

/** Small modules of the home page. One file with all of them is smaller than separate files. */
const SMALL =
  /\/(?:before-logout|key-mark|before-writes|lazy-page|page-title|text-title|opening-body|open-body|sealed-policy|worker-messages|unknown-address-notice|use-login-resolved|system-queries|use-work|pending-actions|preview-error|sealed-inserts|missing-part|wrong-fields|tab-identity|table-search)\.tsx?$/

/**
 * Libraries that parse Markdown and make its HTML safe. They are in one file, because share pages show no text before
 * all of them have arrived.
 */
const MARKDOWN =
  /\/node_modules\/(?:markdown-it[^/]*|mdurl|uc\.micro|entities|linkify-it|punycode\.js|dompurify|js-yaml|get-east-asian-width)\//

/**
 * Modules of the contract that decryption needs. They are separate from the other modules of the contract, because an
 * encrypted text is shown before the other modules load.
 */
const LIMITS = /\/packages\/contract\/src\/(?:core\/limits|shares\/content-types|bundles\/bundle-paths)\.ts$/

/**
 * Icons go into one file. Each icon has a few hundred bytes, so one file with all icons costs less than ten requests
 * for separate files.
 */
const ICONS = /\/node_modules\/@tabler\//

/** Code that at least this many chunks need goes into one file. With a lower limit, pages would fetch too much unused code. */
const COMMON_FROM = 14

const shared = (name: string, test: RegExp | ((id: string) => boolean), minShareCount: number) => ({
  name,
  test,
  minShareCount,
  includeDependenciesRecursively: false,
})

export default defineConfig({
  plugins: [
    react(),
    plainContract,
    languageFiles,
    sharePages,
    rootedPages,
    earlyRenderer,
    pdfAssets(PDF_ASSETS),
  ],
  // Chunks find each other by relative paths, so the same build works below any path.
  base: './',
  define: { __PDF_ASSETS__: JSON.stringify(`/${PDF_ASSETS}/`) },
  worker: { format: 'es' },
  server: { proxy: { '/api': server, '/dav': server } },
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: 'index.html', paste: 'paste.html', bundle: 'bundle.html' },
      output: {
        codeSplitting: {
          groups: [
            { name: 'framework', test: FRAMEWORK, priority: 2 },
            {
              name: 'first',
              // Excludes the entry modules of the pages, which stay separate chunks.
              test: /^(?!.*(?:\.html|\/src\/early-[a-z]+\.ts)$)/,
              tags: ['$initial'],
              priority: 3,
              entriesAware: true,
              entriesAwareMergeThreshold: 30_000,
            },
            { ...shared('markdown', MARKDOWN, 1), priority: 2 },
            { name: 'icons', test: ICONS, minShareCount: 2, priority: 1 },
            { ...shared('limits', LIMITS, 1), priority: 1 },
            { ...shared('small', SMALL, 2), priority: 1 },
            shared('below', BELOW, COMMON_FROM),
            shared('common', OWN, COMMON_FROM),
          ],
        },
      },
      // The modules of the contract have no side effects, so a chunk can leave out the modules that it does not use.
      treeshake: { moduleSideEffects: (id) => !id.includes('/packages/contract/') },
    },
  },
})
