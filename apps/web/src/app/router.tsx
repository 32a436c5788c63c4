import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { type BundleSearch, readBundleSearch } from '../features/bundle-reading/models/bundle-place.ts'
import { readExplorerSearch } from './explorer-search.ts'
import { hasScrolled } from '../lib/browser/scroll-state.ts'
import type { SharedSearch } from '../domains/offline/incoming-shares.ts'
import { readTableSearch, type TableSearch } from '../lib/table-search.ts'
import { guardSession } from './guards.ts'
import { lazyPage } from './lazy-page.ts'
import { RootLayout } from './layouts/root-layout.tsx'
import { EditorFailure, PageFailure } from './page-error.tsx'
import { noticeUnknownAddress } from './unknown-address-notice.ts'
import { pageParts } from './page-parts.ts'
import { PagePending } from './page-pending.tsx'
import { basePath } from '../lib/browser/base-path.ts'

const rootRoute = createRootRoute({ component: RootLayout })

/** Reads the id of content shared from another app. */
const readShared = (search: Record<string, unknown>): SharedSearch => ({
  shared: typeof search['shared'] === 'string' ? search['shared'] : undefined,
})

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readShared,
  component: lazyPage(pageParts.home, 'HomePage'),
  errorComponent: EditorFailure,
})

const pasteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/paste/$slug',
  component: lazyPage(pageParts.paste, 'PastePage'),
})

const uploadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/upload',
  validateSearch: readShared,
  beforeLoad: guardSession,
  component: lazyPage(pageParts.upload, 'UploadPage'),
})

const fileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/file/$slug',
  component: lazyPage(pageParts.file, 'FilePage'),
})

const bundleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/s/$slug',
  validateSearch: readBundleSearch,
  component: lazyPage(pageParts.bundle, 'BundlePage'),
})

const encryptionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/encryption',
  component: lazyPage(pageParts.encryption, 'EncryptionPage'),
})

const explorerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mount-explorer/$',
  validateSearch: readExplorerSearch,
  beforeLoad: guardSession,
  component: lazyPage(pageParts.explorer, 'ExplorerPage'),
})

const adminPage = lazyPage(pageParts.admin, 'AdminPage')

/** Reads the search parameters of the admin panel: the return path of a login, and the search of a module's table. */
const readAdminSearch = (search: Record<string, unknown>): TableSearch & { from?: string | undefined } => ({
  ...readTableSearch(search),
  from: typeof search['from'] === 'string' ? search['from'] : undefined,
})

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  validateSearch: readAdminSearch,
  beforeLoad: guardSession,
  component: adminPage,
})

/**
 * Reads the search parameter for the step of the guide. If it is absent, the guide uses the step stored on the server.
 */
const readGuideSearch = (search: Record<string, unknown>): { step?: string | undefined } => ({
  step: typeof search['step'] === 'string' ? search['step'] : undefined,
})

const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/welcome',
  validateSearch: readGuideSearch,
  beforeLoad: guardSession,
  component: lazyPage(pageParts.welcome, 'WelcomePage'),
})

const adminModuleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/$module',
  validateSearch: readAdminSearch,
  beforeLoad: guardSession,
  component: adminPage,
})

/** The editor of a bundle is part of the module of shares. */
const adminBundleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/shares/bundle/$bundle',
  beforeLoad: guardSession,
  component: adminPage,
})

const offlineRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/offline',
  component: lazyPage(pageParts.offline, 'OfflinePage'),
})

/** The page with all components. In the production build the condition is false, so the page is not included. */
const developmentRoutes = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => rootRoute,
        path: '/parts',
        component: lazyPage(
          { load: () => import('./pages/parts.page.tsx'), words: ['later', 'files', 'textView', 'admin'] },
          'PartsPage',
        ),
      }),
    ]
  : []

/** Unknown URLs redirect home, with a notice. */
export const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: ({ location }) => {
    noticeUnknownAddress(location.pathname)
    redirect({ to: '/', replace: true, throw: true })
  },
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  pasteRoute,
  uploadRoute,
  fileRoute,
  bundleRoute,
  encryptionRoute,
  explorerRoute,
  adminRoute,
  welcomeRoute,
  adminModuleRoute,
  adminBundleRoute,
  offlineRoute,
  ...developmentRoutes,
  unknownRoute,
])

let isFirstRender = true

/**
 * Whether the page was newly opened, not reloaded or reached by the back button, and has no fragment. Such a page
 * starts at the top, so there is nothing to scroll.
 */
function isNewAtItsTop(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  const isNew = navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate'
  return isNew && window.location.hash === ''
}

/**
 * Whether the router may scroll. The first render keeps the scroll position if the user has scrolled before the app
 * loaded.
 */
function mayScroll(): boolean {
  const staysThere = isFirstRender && (hasScrolled() || isNewAtItsTop())
  isFirstRender = false
  return !staysThere
}

export const createAppRouter = () =>
  createRouter({
    routeTree,
    basepath: basePath === '' ? '/' : basePath,
    scrollRestoration: mayScroll,
    defaultPreload: 'intent',
    defaultErrorComponent: PageFailure,
    defaultPendingComponent: PagePending,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface HistoryState {
    sealedPlace?: BundleSearch
  }
}
