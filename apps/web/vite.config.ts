import react from '@vitejs/plugin-react'
import type { Connect, Plugin } from 'vite'
import { defineConfig } from 'vite'
import pdfPackage from 'pdfjs-dist/package.json' with { type: 'json' }
import { languageFiles } from './build/language-files.ts'
import { pdfAssets } from './build/pdf-assets.ts'
import { plainContract } from './build/plain-contract.ts'

const PDF_ASSETS = `assets/pdf-${pdfPackage.version}`
const server = `http://127.0.0.1:${process.env['PORT'] ?? '8787'}`

/** Share links start from their own small page; the product's server does the same. */
const servePastePage: Connect.NextHandleFunction = (request, _response, next) => {
  if (/^\/paste\/[^/?#]+/.test(request.url ?? '')) request.url = '/paste.html'
  next()
}

/** Pages lie at several depths, so what they name is named from the root; the server puts its base path before it. */
const rootedPages: Plugin = {
  name: 'dropleaf:rooted-pages',
  apply: 'build',
  transformIndexHtml: { order: 'post', handler: (html) => html.replaceAll(/(\s(?:href|src)=")\.\//g, '$1/') },
}

const pastePage: Plugin = {
  name: 'dropleaf:paste-page',
  configureServer: ({ middlewares }) => {
    middlewares.use(servePastePage)
  },
  configurePreviewServer: ({ middlewares }) => {
    middlewares.use(servePastePage)
  },
}

/** What every page of the app is made with, in one file: each that is asked for costs time on the page. */
const FRAMEWORK =
  /node_modules\/(?:react|react-dom|scheduler|clsx|use-sync-external-store|i18next|react-i18next|@tanstack\/(?:react-query|query-core|react-router|router-core|history|react-store|store))\//

/** What small things are made of; it needs nothing of the app. */
const BELOW = /\/(?:packages\/[^/]+\/src|node_modules\/(?:@mantine|@floating-ui))\//

/** The app's own code, without IndexedDB and texts, which only some pages need. The editors' libraries are not part of it. */
const OWN = /\/apps\/web\/src\/(?!domains\/offline\/(?!components\/|install-prompt)|locales\/)/

/** Each is some hundred bytes, and all of them less than what asking for ten of them takes. */
const ICONS = /\/node_modules\/@tabler\//

/** What at least so many pages and dialogs need is one file. With fewer, each page would fetch too much that is not its own. */
const COMMON_FROM = 7

const shared = (name: string, test: RegExp | ((id: string) => boolean), minShareCount: number) => ({
  name,
  test,
  minShareCount,
  includeDependenciesRecursively: false,
})

export default defineConfig({
  plugins: [react(), plainContract, languageFiles, pastePage, rootedPages, pdfAssets(PDF_ASSETS)],
  // Chunks find each other from where they are: the same build serves below any path.
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
      input: { index: 'index.html', paste: 'paste.html' },
      output: {
        codeSplitting: {
          groups: [
            { name: 'framework', test: FRAMEWORK, priority: 2 },
            { name: 'first', tags: ['$initial'], priority: 3, entriesAware: true },
            { name: 'icons', test: ICONS, minShareCount: 2, priority: 1 },
            shared('below', BELOW, COMMON_FROM),
            shared('common', OWN, COMMON_FROM),
          ],
        },
      },
      // The contract only declares; what a chunk does not use of it need not be in it.
      treeshake: { moduleSideEffects: (id) => !id.includes('/packages/contract/') },
    },
  },
})
