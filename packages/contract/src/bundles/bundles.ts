import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { BUNDLE_OBJECTS_MAX, PASSWORD_MAX_LENGTH } from '../core/limits.ts'
import { route } from '../core/route.ts'
import {
  idParams,
  instant,
  optionalInstant,
  optionally,
  pathId,
  requiredText,
  whenPresent,
  wireInt,
} from '../core/wire.ts'
import { shareWords } from '../shares/file-uploads.ts'
import { openingOwnerFields, openingWords, shareErrors } from '../shares/opening-fields.ts'
import { batchDeleteBody } from '../shares/share-lists.ts'
import { optionalSlug } from '../shares/slugs.ts'
import { storageFailures } from '../storages/storage-configs.ts'
import { bundleErrors } from './bundle-errors.ts'
import { manifestInput, ownManifest } from './manifest.ts'
import { sealedManifest, sealInput, sealShown } from './sealed.ts'

/** A draft that is not published within this time is deleted. */
export const BUNDLE_DRAFT_SECONDS = 24 * 3600
/**
 * How long an uploaded object of a published bundle is retained after the last upload to the bundle. After that,
 * the object is deleted unless a stored revision uses it.
 */
export const BUNDLE_UNNAMED_SECONDS = 24 * 3600

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const bundleId = optionally<string | null, string>(
  null,
  (value) => value ?? null,
  z.nullable(z.string().check(z.regex(UUID))),
)

const ownBundle = {
  id: z.string(),
  slug: z.string(),
  url: z.string(),
  title: z.nullable(z.string()),
  remark: z.nullable(z.string()),
  created_at: instant,
  updated_at: instant,
  expires_at: z.nullable(instant),
  max_views: z.nullable(z.number()),
  views: z.number(),
  has_password: z.boolean(),
  plain_password: z.nullable(z.string()),
  created_by: z.nullable(z.string()),
  key_name: z.optional(z.string()),
  /** 0 while the bundle is a draft. */
  revision: z.number(),
  /** Number of items; for a sealed bundle, number of objects. */
  item_count: z.number(),
  /** Total size of the uploaded objects of the current revision in bytes. */
  size: z.number(),
  ...sealShown,
  ...openingOwnerFields,
}
const bundleDetail = z.object({
  ...ownBundle,
  /** `null` for a draft and for a sealed bundle. */
  manifest: z.nullable(ownManifest),
  /** The manifest of a sealed bundle in base64; `null` for a draft. */
  sealed_manifest: z.nullable(z.string()),
  owner_box: z.nullable(z.string()),
  /** Ticket with which the owner reads the files of the current revision without using a view; `null` for a draft. */
  ticket: z.nullable(z.string()),
  /**
   * Numbers that identify the uploaded objects and the running uploads, including objects that only earlier revisions
   * use.
   */
  object_numbers: z.array(z.number()),
})
export type BundleDetail = z.infer<typeof bundleDetail>

const listedRevision = z.object({
  revision: z.number(),
  created_at: instant,
  is_current: z.boolean(),
  title: z.nullable(z.string()),
  item_count: z.number(),
  /** Total size of the uploaded objects in bytes. */
  size: z.number(),
})
export type ListedBundleRevision = z.infer<typeof listedRevision>

const revision = wireInt({ min: 1, max: Number.MAX_SAFE_INTEGER })
const revisionParams = z.object({ id: pathId, r: revision })

const ownErrors = [bundleErrors.not_found, authErrors.forbidden] as const
const endErrors = [bundleErrors.expired, bundleErrors.used_up] as const
const published = z.object({
  data: z.object({ id: z.string(), slug: z.string(), url: z.string(), revision: z.number() }),
})

/**
 * Routes with which owners manage their bundles. A bundle is one link to a page, files, and files and folders of
 * mounts. A page needs the permission `text`. An uploaded file needs `file`. A file or folder of a mount needs both
 * `file` and `mount`.
 */
export const bundleRoutes = {
  create: route({
    method: 'POST',
    path: '/api/bundles',
    access: 'text_or_file',
    summary:
      'Create the draft of a bundle: one link to a page, files and folders. Readers see it once it is published.',
    body: z.object({
      /**
       * The client can choose the id. A repeated request with the same id creates nothing, and applies its settings to
       * the existing draft.
       */
      id: bundleId,
      slug: optionalSlug,
      ...shareWords,
      ...sealInput,
      /** An encrypted manifest without objects, which is published with the same request. */
      manifest: z.optional(sealedManifest),
    }),
    reply: z.object({ data: z.object({ id: z.string(), slug: z.string(), url: z.string() }) }),
    status: 201,
    isRepeatable: true,
    errors: [
      authErrors.forbidden,
      bundleErrors.slug_taken,
      bundleErrors.id_taken,
      bundleErrors.seal_incomplete,
      bundleErrors.not_sealable,
      bundleErrors.not_sealed,
      bundleErrors.manifest_too_large,
      bundleErrors.changed,
      shareErrors.pin_needs_ask,
      shareErrors.must_be_sealed,
      shareErrors.sealing_off,
    ],
  }),
  publish: route({
    method: 'POST',
    path: '/api/bundles/:id/revisions',
    access: 'text_or_file',
    summary: 'Publish a revision. Readers who open the bundle from now on get it whole.',
    params: idParams,
    body: z.object({
      /** The manifest of a sealed bundle is encrypted and in base64. */
      manifest: z.union([manifestInput, sealedManifest]),
      /** Numbers of the objects that an encrypted manifest uses. */
      objects: z.optional(
        z
          .array(z.int().check(z.minimum(0), z.maximum(BUNDLE_OBJECTS_MAX - 1)))
          .check(z.maxLength(BUNDLE_OBJECTS_MAX)),
      ),
      /** Number of the edited revision; 0 if no revision was published before. */
      expected_revision: wireInt({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    }),
    reply: published,
    status: 201,
    isRepeatable: true,
    errors: [
      ...ownErrors,
      ...endErrors,
      authErrors.path_forbidden,
      bundleErrors.changed,
      bundleErrors.empty,
      bundleErrors.path_invalid,
      bundleErrors.manifest_too_large,
      bundleErrors.object_missing,
      bundleErrors.item_gone,
      bundleErrors.not_sealed,
      bundleErrors.not_sealable,
      shareErrors.must_be_sealed,
      ...storageFailures,
    ],
  }),
  revisions: route({
    method: 'GET',
    path: '/api/bundles/:id/revisions',
    access: 'text_or_file',
    summary: 'The kept revisions of a bundle, newest first.',
    params: idParams,
    reply: z.object({ data: z.array(listedRevision) }),
    errors: ownErrors,
  }),
  revision: route({
    method: 'GET',
    path: '/api/bundles/:id/revisions/:r',
    access: 'text_or_file',
    summary: 'The manifest of one kept revision.',
    params: revisionParams,
    reply: z.object({
      data: z.object({
        revision: z.number(),
        created_at: instant,
        /** `null` for a sealed bundle. */
        manifest: z.nullable(ownManifest),
        sealed_manifest: z.nullable(z.string()),
        /** Ticket with which the owner reads the files of this revision without using a view. */
        ticket: z.string(),
      }),
    }),
    errors: [...ownErrors, bundleErrors.revision_not_found],
  }),
  restore: route({
    method: 'POST',
    path: '/api/bundles/:id/revisions/:r/restore',
    access: 'text_or_file',
    summary: 'Publish an earlier revision anew.',
    params: revisionParams,
    body: z.object({ expected_revision: wireInt({ min: 1, max: Number.MAX_SAFE_INTEGER }) }),
    reply: published,
    status: 201,
    errors: [
      ...ownErrors,
      ...endErrors,
      authErrors.path_forbidden,
      bundleErrors.changed,
      bundleErrors.revision_not_found,
      bundleErrors.object_missing,
      bundleErrors.item_gone,
      bundleErrors.is_sealed,
      shareErrors.must_be_sealed,
      ...storageFailures,
    ],
  }),
  detail: route({
    method: 'GET',
    path: '/api/bundles/:id/own',
    access: 'text_or_file',
    summary: 'An own bundle with its current manifest; that of every owner for an admin.',
    params: idParams,
    reply: z.object({ data: bundleDetail }),
    errors: ownErrors,
  }),
  update: route({
    method: 'PUT',
    path: '/api/bundles/:id',
    access: 'text_or_file',
    summary: 'Change the link, the limits and the password of a bundle.',
    params: idParams,
    body: z.object({
      remark: whenPresent(shareWords.remark),
      slug: whenPresent(optionalSlug),
      expires_at: whenPresent(optionalInstant),
      /** Changing the limit resets the view count. */
      max_views: whenPresent(shareWords.max_views),
      /** `null` or blank removes the password. */
      password: z.optional(z.nullable(z.string().check(z.maxLength(PASSWORD_MAX_LENGTH)))),
      opening: whenPresent(openingWords.opening),
      /** `null` or blank removes the PIN. */
      pin: whenPresent(openingWords.pin),
    }),
    reply: z.object({ data: z.object({ id: z.string(), slug: z.string(), url: z.string() }) }),
    errors: [...ownErrors, bundleErrors.slug_taken, bundleErrors.seal_fixed, shareErrors.pin_needs_ask],
  }),
  remove: route({
    method: 'POST',
    path: '/api/bundles/delete',
    access: 'text_or_file',
    summary: 'Delete own bundles with their objects; those of every owner for an admin.',
    body: batchDeleteBody,
    reply: z.object({
      data: z.object({
        success: z.number(),
        failed: z.array(z.object({ id: requiredText(200), error: z.string() })),
      }),
    }),
    errors: [authErrors.forbidden],
  }),
}
