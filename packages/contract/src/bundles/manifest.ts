import * as z from 'zod/mini'
import { BUNDLE_ITEMS_MAX, BUNDLE_OBJECTS_MAX, BUNDLE_TITLE_MAX_LENGTH } from '../core/limits.ts'
import { PASTE_CONTENT_TYPES } from '../shares/content-types.ts'
import { pasteContent } from '../shares/pastes.ts'
import { instant, optionalText } from '../core/wire.ts'
import { BUNDLE_PATH_MAX_LENGTH } from './bundle-paths.ts'

/** Schemas of a bundle's manifest, which describes the contents of one revision. */

const objectNumber = z.int().check(z.minimum(0), z.maximum(BUNDLE_OBJECTS_MAX - 1))
const mountPath = z.string().check(z.minLength(1), z.maxLength(2048))

/**
 * What a reference shows when its file changes: `follow` shows the current file, `pin` only the version at the time of
 * publication.
 */
export const REFERENCE_MODES = ['follow', 'pin'] as const
export type ReferenceMode = (typeof REFERENCE_MODES)[number]

const objectSource = z.strictObject({ object: objectNumber })
const referenceSource = z.strictObject({
  ref: z.strictObject({
    path: mountPath,
    mode: z._default(z.enum(REFERENCE_MODES), 'follow'),
    /**
     * Whether to pin a reference to the current version of its file. If absent, a pinned item stays pinned to the same
     * version.
     */
    renew: z.optional(z.boolean()),
  }),
})
const folderSource = z.strictObject({ folder: z.strictObject({ path: mountPath }) })

const page = z.strictObject({
  type: z._default(z.enum(PASTE_CONTENT_TYPES), 'text/markdown'),
  text: pasteContent,
})

/** A manifest that an owner publishes. */
export const manifestInput = z.strictObject({
  title: optionalText(BUNDLE_TITLE_MAX_LENGTH),
  page: z.optional(z.nullable(page)),
  items: z
    .array(
      z.strictObject({
        /** Relative path without `.` and `..`; see `findBundlePathProblems`. */
        path: z.string().check(z.minLength(1), z.maxLength(BUNDLE_PATH_MAX_LENGTH)),
        source: z.union([objectSource, referenceSource, folderSource]),
      }),
    )
    .check(z.maxLength(BUNDLE_ITEMS_MAX)),
})
export type ManifestInput = z.output<typeof manifestInput>

const facts = {
  path: z.string(),
  /** Size in bytes at the time of publication. */
  size: z.number(),
  mimetype: z.string(),
  modified: z.nullable(instant),
}
/** A manifest for its owner, including the paths of references. */
export const ownManifest = z.object({
  title: z.nullable(z.string()),
  page: z.nullable(z.object({ type: z.enum(PASTE_CONTENT_TYPES), text: z.string() })),
  items: z.array(
    z.union([
      z.object({ ...facts, source: objectSource }),
      z.object({
        ...facts,
        source: z.object({ ref: z.object({ path: z.string(), mode: z.enum(REFERENCE_MODES) }) }),
      }),
      z.object({ path: z.string(), source: folderSource }),
    ]),
  ),
})
export type OwnManifest = z.infer<typeof ownManifest>
export type OwnManifestItem = OwnManifest['items'][number]

export const BUNDLE_ITEM_KINDS = ['file', 'folder'] as const

/** A manifest for readers. A `folder` is a live folder of a mount, listed with {@link bundleReadingRoutes.list}. */
export const readManifest = z.object({
  title: z.nullable(z.string()),
  page: z.nullable(z.object({ type: z.enum(PASTE_CONTENT_TYPES), text: z.string() })),
  items: z.array(
    z.union([
      z.object({
        kind: z.literal('file'),
        ...facts,
        /**
         * Size in bytes. For a reference that follows its file, this is the current size; `null` if the file is missing
         * or cannot be looked up.
         */
        size: z.nullable(z.number()),
      }),
      z.object({ kind: z.literal('folder'), path: z.string() }),
    ]),
  ),
})
export type ReadManifest = z.infer<typeof readManifest>
export type ReadManifestItem = ReadManifest['items'][number]
