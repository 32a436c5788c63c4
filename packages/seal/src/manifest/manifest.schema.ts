import {
  BUNDLE_ITEMS_MAX,
  BUNDLE_OBJECTS_MAX,
  BUNDLE_PATH_MAX_LENGTH,
  BUNDLE_TITLE_MAX_LENGTH,
  KIB,
  MIB,
  PASTE_CONTENT_MAX_BYTES,
  PASTE_CONTENT_TYPES,
} from '@dropleaf/contract'
import * as z from 'zod/mini'
import { fromBase64url, utf8 } from '../core/bytes.ts'
import { PART_SEGMENTS_MAX } from '../objects/geometry.ts'

/** Version that this package writes. */
export const MANIFEST_VERSION = 1
/** Maximum size of a text in the manifest. A longer text is stored in an object. */
export const INLINE_TEXT_MAX_BYTES = 256 * KIB
export const THUMBNAIL_MAX_BYTES = MIB
const DEK_BYTES = 32
/** Largest time that a `Date` can represent. */
const TIME_MAX_MS = 8.64e15
const TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

const size = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER))
const slice = {
  object: z.int().check(z.minimum(0), z.maximum(BUNDLE_OBJECTS_MAX - 1)),
  offset: size,
}
const pageType = z.enum(PASTE_CONTENT_TYPES)

const object = z.strictObject({
  n: slice.object,
  /** Base64url of 32 bytes: the key from which the keys of the parts are derived. */
  dek: z.string().check(z.refine((text) => fromBase64url(text)?.length === DEK_BYTES)),
  /** Plain bytes without padding. */
  size,
  /** Bytes in the storage. */
  stored: size,
  /** Number of segments in each part but the last. */
  k: z.int().check(z.minimum(1), z.maximum(PART_SEGMENTS_MAX)),
  salts: z.string(),
})

const item = z.strictObject({
  path: z.string().check(z.minLength(1), z.maxLength(BUNDLE_PATH_MAX_LENGTH)),
  type: z.string().check(z.regex(TYPE)),
  /** Milliseconds since 1970. */
  mtime: z.optional(z.int().check(z.minimum(-TIME_MAX_MS), z.maximum(TIME_MAX_MS))),
  ...slice,
  size,
  thumb: z.optional(z.strictObject({ ...slice, size: size.check(z.maximum(THUMBNAIL_MAX_BYTES)) })),
})

const page = z.union([
  z.strictObject({
    type: pageType,
    text: z.string().check(z.refine((text) => utf8(text).length <= INLINE_TEXT_MAX_BYTES)),
  }),
  z.strictObject({ type: pageType, ...slice, size: size.check(z.maximum(PASTE_CONTENT_MAX_BYTES)) }),
])

const fields = {
  v: z.literal(MANIFEST_VERSION),
  title: z.optional(z.string().check(z.maxLength(BUNDLE_TITLE_MAX_LENGTH))),
  page: z.optional(page),
  objects: z.array(object).check(z.maxLength(BUNDLE_OBJECTS_MAX)),
  items: z.array(item).check(z.maxLength(BUNDLE_ITEMS_MAX)),
}

/** The contents of a sealed bundle. Each item is a slice of an object. */
export const manifestSchema = z.strictObject(fields)
/** A manifest with its padding, as it is encrypted. */
export const paddedManifestSchema = z.strictObject({ ...fields, pad: z.string() })

export type Manifest = z.infer<typeof manifestSchema>
export type ManifestObject = z.infer<typeof object>
export type ManifestItem = z.infer<typeof item>
export type ManifestPage = z.infer<typeof page>
