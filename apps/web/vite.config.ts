import react from '@vitejs/plugin-react'
import type { Connect, Plugin } from 'vite'
import { defineConfig } from 'vite'
import pdfPackage from 'pdfjs-dist/package.json' with { type: 'json' }
import { languageFiles } from './build/language-files.ts'
import { pdfAssets } from './build/pdf-assets.ts'

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

export default defineConfig({
  plugins: [react(), languageFiles, pastePage, rootedPages, pdfAssets(PDF_ASSETS)],
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
      // The contract only declares; what a chunk does not use of it need not be in it.
      treeshake: { moduleSideEffects: (id) => !id.includes('/packages/contract/') },
    },
  },
})
