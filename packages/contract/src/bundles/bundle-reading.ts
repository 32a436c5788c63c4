import * as z from 'zod/mini'
import { requestErrors } from '../core/errors.ts'
import { BATCH_PATHS_MAX, BUNDLE_OBJECTS_MAX, FILENAME_MAX_BYTES } from '../core/limits.ts'
import { route } from '../core/route.ts'
import {
  defaultInt,
  instant,
  optionalBoolean,
  optionalInt,
  optionalText,
  pathId,
  requiredText,
  slugParams,
  wireInt,
} from '../core/wire.ts'
import { LIST_LIMIT_MAX, LIST_ORDERS, LIST_SORTS } from '../fs/fs-listing.ts'
import { openBundleBody } from '../shares/open-body.ts'
import { OPENINGS, shareErrors } from '../shares/opening-fields.ts'
import { storageFailures } from '../storages/storage-configs.ts'
import { bundleErrors } from './bundle-errors.ts'
import { readManifest } from './manifest.ts'
import { sealShown } from './sealed.ts'

/** How long a ticket can read its revision. */
export const BUNDLE_TICKET_SECONDS = 6 * 3600

/** Maximum number of objects in one request for addresses. */
export const SEALED_ADDRESSES_MAX = 100

const objectNumber = z.int().check(z.minimum(0), z.maximum(BUNDLE_OBJECTS_MAX - 1))
const ticket = requiredText(500)
/** Path below the root of the bundle; empty for the root itself. */
const itemPath = z.string().check(z.maxLength(4096))

const openedFacts = {
  slug: z.string(),
  created_at: instant,
  updated_at: instant,
  expires_at: z.nullable(instant),
  max_views: z.nullable(z.number()),
  views: z.number(),
  /** Number of the opened revision. */
  revision: z.number(),
  /** Number of the revision that a new opening would return. */
  current_revision: z.number(),
  /** The ticket can read the revision for {@link BUNDLE_TICKET_SECONDS}, but not after the bundle's expiry. */
  ticket: z.string(),
}
const openBundle = z.object({
  ...openedFacts,
  sealed: z.null(),
  title: z.nullable(z.string()),
  manifest: readManifest,
})
export type OpenBundle = z.infer<typeof openBundle>

/** An opened sealed bundle. Reading the manifest requires the key. */
const openSealedBundle = z.object({
  ...openedFacts,
  /** Version of the format. */
  sealed: z.number(),
  id: z.string(),
  salt: z.string(),
  kdf: sealShown.kdf,
  /** The encrypted manifest in base64. */
  manifest: z.string(),
})
export type OpenSealedBundle = z.infer<typeof openSealedBundle>
const opened = z.union([openBundle, openSealedBundle])

const listedItem = z.union([
  z.object({
    name: z.string(),
    path: z.string(),
    isDirectory: z.literal(false),
    /** Size in bytes; `null` for a reference that follows a file that no longer exists or cannot be looked up. */
    size: z.nullable(z.number()),
    mimetype: z.string(),
    modified: z.nullable(instant),
    etag: z.string(),
  }),
  z.object({
    name: z.string(),
    path: z.string(),
    isDirectory: z.literal(true),
    /** Total size in bytes; `null` if it is unknown. */
    size: z.nullable(z.number()),
    modified: z.nullable(instant),
  }),
])
export type ListedBundleItem = z.infer<typeof listedItem>

const endErrors = [bundleErrors.not_found, bundleErrors.expired, bundleErrors.used_up] as const
const ticketErrors = [bundleErrors.not_found, bundleErrors.expired, bundleErrors.ticket_invalid] as const
const itemErrors = [
  ...ticketErrors,
  bundleErrors.is_sealed,
  bundleErrors.item_not_found,
  bundleErrors.item_kind,
  bundleErrors.item_gone,
  ...storageFailures,
] as const

/**
 * Routes for the readers of bundles. `open` and `plain` open a bundle, which uses a view, and return a ticket. `look`
 * needs no ticket, and `download` contains its own. All other routes need the ticket to read the opened revision.
 */
export const bundleReadingRoutes = {
  look: route({
    method: 'GET',
    path: '/api/bundles/:slug',
    access: 'share',
    summary:
      'What opening a bundle needs, with the salts of a sealed one. Uses no view, and shows no contents.',
    params: slugParams,
    reply: z.object({
      data: z.object({
        id: z.string(),
        ...sealShown,
        requires_password: z.boolean(),
        requires_pin: z.boolean(),
        opening: z.enum(OPENINGS),
        expires_at: z.nullable(instant),
      }),
    }),
    errors: endErrors,
  }),
  open: route({
    method: 'POST',
    path: '/api/bundles/:slug/open',
    access: 'share',
    summary:
      'Open a bundle; uses one view. A bundle that asks needs an intent, and a device may come back for a while.',
    params: slugParams,
    body: openBundleBody,
    reply: z.object({ data: opened }),
    errors: [
      ...endErrors,
      bundleErrors.proof_missing,
      bundleErrors.proof_wrong,
      shareErrors.ask_first,
      shareErrors.intent_invalid,
      shareErrors.too_early,
      shareErrors.automated,
      bundleErrors.password_missing,
      bundleErrors.password_wrong,
      shareErrors.pin_missing,
      shareErrors.pin_wrong,
      requestErrors.rate_limited,
    ],
  }),
  opened: route({
    method: 'GET',
    path: '/api/bundles/:slug/opened',
    access: 'share',
    summary: 'What a ticket has opened, for a page that is loaded again. Uses no view.',
    params: slugParams,
    query: z.object({ ticket }),
    reply: z.object({ data: opened }),
    errors: ticketErrors,
  }),
  current: route({
    method: 'GET',
    path: '/api/bundles/:slug/current',
    access: 'share',
    summary: 'The number of the current revision, for readers who may have to reload.',
    params: slugParams,
    query: z.object({ ticket }),
    reply: z.object({ data: z.object({ revision: z.number() }) }),
    errors: ticketErrors,
  }),
  list: route({
    method: 'GET',
    path: '/api/bundles/:slug/list',
    access: 'share',
    summary:
      'The entries of a folder of a bundle in pages, folders first. By name, a live folder that is not indexed yet comes in the order of its storage.',
    params: slugParams,
    query: z.object({
      ticket,
      path: z._default(itemPath, ''),
      limit: optionalInt({ min: 1, max: LIST_LIMIT_MAX }),
      cursor: optionalText(8192),
      sort: z._default(z.enum(LIST_SORTS), 'name'),
      order: z._default(z.enum(LIST_ORDERS), 'asc'),
      /**
       * Lists only entries below the folder whose own names contain this text, ignoring case. The folder itself need
       * not match.
       */
      search: optionalText(200),
    }),
    reply: z.object({
      data: z.object({
        path: z.string(),
        items: z.array(listedItem),
        next_cursor: z.nullable(z.string()),
        /**
         * Whether the pages contain everything. A search stops after about {@link SEARCH_MATCHES_MAX} files of a
         * storage. If the storage is not indexed yet, the search can miss files, and finds no folders.
         */
        is_complete: z.boolean(),
      }),
    }),
    errors: itemErrors,
  }),
  file: route({
    method: 'GET',
    path: '/api/bundles/:slug/file',
    access: 'share',
    summary: 'The bytes of one file of a bundle, with ranges.',
    params: slugParams,
    query: z.object({ ticket, path: itemPath, download: optionalBoolean }),
    replyType: '*/*',
    errors: itemErrors,
  }),
  thumbnail: route({
    method: 'GET',
    path: '/api/bundles/:slug/thumbnail',
    access: 'share',
    summary: 'A small WebP picture of a file of a bundle; 204 for files without one.',
    params: slugParams,
    query: z.object({
      ticket,
      path: itemPath,
      /** Maximum width and height in pixels. */
      size: defaultInt({ min: 1, max: 4096 }, 320),
    }),
    replyType: 'image/webp',
    errors: [...itemErrors, requestErrors.unavailable],
  }),
  archive: route({
    method: 'POST',
    path: '/api/bundles/:slug/archive',
    access: 'share',
    summary: 'A URL from which a browser downloads files and folders of a bundle as one zip archive.',
    params: slugParams,
    body: z.object({
      ticket,
      /** Paths of files and folders; empty for the whole bundle. */
      paths: z.array(itemPath).check(z.maxLength(BATCH_PATHS_MAX)),
      name: optionalText(FILENAME_MAX_BYTES),
    }),
    reply: z.object({ data: z.object({ url: z.string(), expires_at: instant, name: z.string() }) }),
    errors: itemErrors,
  }),
  zip: route({
    method: 'GET',
    path: '/api/bundles/:slug/archive',
    access: 'share',
    summary: 'A file or folder of a bundle as a zip archive; the whole bundle without a path.',
    params: slugParams,
    query: z.object({ ticket, path: z._default(itemPath, '') }),
    replyType: 'application/zip',
    errors: itemErrors,
  }),
  page: route({
    method: 'GET',
    path: '/api/bundles/:slug/page',
    access: 'share',
    summary: 'The text of a bundle.',
    params: slugParams,
    query: z.object({ ticket }),
    replyType: 'text/plain',
    errors: [...ticketErrors, bundleErrors.item_not_found],
  }),
  download: route({
    method: 'GET',
    path: '/api/bundles/:slug/archive/:archive',
    access: 'share',
    summary: 'The archive of such a URL. A report inside names unreadable files.',
    params: z.object({ slug: pathId, archive: pathId }),
    replyType: 'application/zip',
    errors: itemErrors,
  }),
  plain: route({
    method: 'GET',
    path: '/api/bundles/:slug/plain',
    access: 'share',
    summary:
      'What `curl` gets under `/s/:slug`: the address of the text, and of each file and folder, one a line. Uses one view; bundles that ask answer 428.',
    params: slugParams,
    query: z.object({ password: z.optional(z.string().check(z.maxLength(1000))) }),
    replyType: 'text/plain',
    errors: [
      ...endErrors,
      bundleErrors.is_sealed,
      bundleErrors.proof_missing,
      shareErrors.ask_first,
      bundleErrors.password_missing,
      bundleErrors.password_wrong,
      requestErrors.rate_limited,
    ],
  }),
  addresses: route({
    method: 'POST',
    path: '/api/bundles/:slug/addresses',
    access: 'share',
    summary: 'URLs of the encrypted objects of a sealed bundle in their storages, for at most an hour.',
    params: slugParams,
    body: z.object({
      ticket,
      objects: z.array(objectNumber).check(z.minLength(1), z.maxLength(SEALED_ADDRESSES_MAX)),
    }),
    reply: z.object({
      data: z.array(
        z.object({
          n: z.number(),
          /** Size of the encrypted object in bytes. */
          size: z.number(),
          /** The URL supports range requests. */
          url: z.string(),
          expires_at: instant,
          /** URL of the same bytes through this server, for clients that cannot reach the storage. */
          relay_url: z.string(),
        }),
      ),
    }),
    errors: [...ticketErrors, bundleErrors.not_sealable, bundleErrors.object_missing, ...storageFailures],
  }),
  object: route({
    method: 'GET',
    path: '/api/bundles/:slug/objects/:n',
    access: 'share',
    summary: 'The encrypted bytes of an object of a sealed bundle, with ranges.',
    params: z.object({ slug: pathId, n: wireInt({ min: 0, max: BUNDLE_OBJECTS_MAX - 1 }) }),
    query: z.object({ ticket }),
    replyType: 'application/octet-stream',
    errors: [...ticketErrors, bundleErrors.not_sealable, bundleErrors.object_missing, ...storageFailures],
  }),
}
