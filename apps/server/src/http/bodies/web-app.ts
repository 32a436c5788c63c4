import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { answerNotFound } from '../core/error-handler.ts'
import { KEY_WORKER_POLICY, pageHeaders, pagePolicy } from './security-headers.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * Returns the page for a URL of the web app. The pages of text shares and bundles show their text before the app has
 * loaded. The service worker requests pages by their file names.
 */
function pageFor(path: string): string {
  if (/^\/paste(?:\/[^/]+\/?|\.html)$/.test(path)) return 'paste.html'
  return /^\/(?:s\/[^/]+\/?|bundle\.html)$/.test(path) ? 'bundle.html' : 'index.html'
}

const isKeyWorker = (path: string) => /^\/assets\/kdf-worker-[\w-]+\.js$/.test(path)

const isPageName = (path: string) => /^\/(?:index|paste|bundle)\.html$/.test(path)

function isPageRequest(request: FastifyRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && !/^\/(?:api|dav)(?:\/|$)/.test(request.url.split('?')[0] ?? '')
}

/** Adds the base path to a built page, whose links to files start at the root of the host. */
const below = (basePath: string, html: string) =>
  html.replaceAll(/(\s(?:href|src)=")\/(?!\/)/g, `$1${basePath}/`)

/**
 * Adds the base path to the manifest's id. Ids of installed apps are relative to the host, so an app below a base path
 * needs a different id than an app at `/`.
 */
const identify = (basePath: string, manifest: string) =>
  manifest.replace(/("id":\s*)"\/"/, `$1${JSON.stringify(`${basePath}/`)}`)

const hasExtension = (path: string) => /\.[A-Za-z0-9]{1,11}$/.test(path)

/**
 * Returns the paths of a build's scripts: its hashed files, and the scripts beside its pages, such as the service
 * worker.
 */
const scriptsIn = (root: string): string[] => [
  '/assets/',
  ...readdirSync(root)
    .filter((name) => name.endsWith('.js'))
    .map((name) => `/${name}`),
]

/** The opener: a page in one file, which also works when it is opened from a disk. It is not a page of the app. */
const OPENER = '/open.html'

/**
 * Returns the policy that the opener itself contains. The policy allows the inline script of the opener, and no
 * network. The policy of the app's pages would forbid the inline script. The header adds `frame-ancestors`, which has
 * no effect in a `meta` element.
 */
function openerPolicy(root: string): string | null {
  const file = join(root, OPENER)
  if (!existsSync(file)) return null
  const [, own] =
    /<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(readFileSync(file, 'utf8')) ?? []
  return own === undefined ? null : `${own}; frame-ancestors 'none'`
}

/** Whether a folder contains a built web app. */
export const hasWebApp = (root: string): boolean => existsSync(join(root, 'index.html'))

/**
 * Serves the built web app. Hashed assets are cached forever, pages are always revalidated, and both are compressed at
 * build time. Every other path outside of the API and of `/assets` is a page of the app.
 * @param storageOrigins returns the origins of the storages. Pages of bundles may connect to no other origins, because
 *   their addresses contain keys.
 */
export async function installWebApp(
  app: FastifyInstance,
  {
    root,
    basePath,
    storageOrigins,
  }: { root: string; basePath: string; storageOrigins: () => Promise<string[]> },
): Promise<void> {
  const isBuilt = hasWebApp(root)
  const readPage = async (name: string) => below(basePath, await readFile(join(root, name), 'utf8'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const isAsset = path.includes(join(root, 'assets'))
        reply.header('cache-control', isAsset ? IMMUTABLE : 'no-cache')
      },
    })
  } else {
    app.log.warn({ root }, 'the web app is not built; only the API is served')
  }

  const scripts = isBuilt ? scriptsIn(root).map((path) => `${basePath}${path}`) : []
  const policy = pagePolicy(scripts)
  const ofOpener = openerPolicy(root)
  const policyOf = (path: string | null): string => {
    if (path !== null && isKeyWorker(path)) return KEY_WORKER_POLICY
    return path === OPENER ? (ofOpener ?? policy) : policy
  }

  async function servePage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = decodePath(request.url)
    pageHeaders(reply, policyOf(path))
    if (path !== null && !isPageName(path) && hasExtension(path) && existsSync(join(root, path)))
      return basePath !== '' && path.endsWith('.webmanifest')
        ? reply
            .header('cache-control', 'no-cache')
            .type('application/manifest+json; charset=utf-8')
            .send(identify(basePath, await readFile(join(root, path), 'utf8')))
        : reply.sendFile(path.slice(1))
    if (path !== null && path.startsWith('/assets/')) return answerNotFound(request, reply)
    const page = pageFor(path ?? '/')
    if (page === 'bundle.html')
      pageHeaders(reply, pagePolicy(scripts, await storageOrigins().catch(() => [])))
    if (basePath === '') return reply.sendFile(page)
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(await readPage(page))
  }

  if (isBuilt) await app.register(shareTarget)
  app.setNotFoundHandler(async (request, reply) => {
    if (isBuilt && isPageRequest(request)) return servePage(request, reply)
    return answerNotFound(request, reply)
  })
}

/**
 * Receives what other apps share with the installed app while the service worker is not active yet. Normally the
 * service worker handles such requests. Discards the bytes; the page prompts the user to share again.
 */
const shareTarget: FastifyPluginCallback = (scope, _options, done) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, parsed) => {
    payload.resume()
    payload.once('end', () => parsed(null))
    payload.once('error', parsed)
  })
  // Redirects to a relative URL, which works with any base path.
  scope.post('/share-target', { config: { access: 'public' } }, (_request, reply) =>
    reply.redirect('../?shared=missed', 303),
  )
  done()
}

/** Decodes the path of a URL. Returns `null` if it is invalid or points outside of the folder. */
function decodePath(url: string): string | null {
  try {
    const path = decodeURIComponent(url.split('?')[0] ?? '/')
    return path.includes('\0') || path.split('/').includes('..') ? null : path
  } catch {
    return null
  }
}
