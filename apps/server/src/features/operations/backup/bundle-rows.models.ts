import {
  BUNDLE_OBJECTS_MAX,
  findBundlePathProblems,
  PASTE_CONTENT_TYPES,
  REFERENCE_MODES,
  sealedKdf,
  sealedManifest,
  sealShown,
} from '@dropleaf/contract'
import * as z from 'zod/mini'
import { parseMeasured } from '../../../lib/bodies/json-gauge.ts'
import { objectsNamedBy, readableManifest } from '../../capabilities/bundles/manifest.models.ts'
import { count, fits, id, instantMs, share, text } from './row-fields.models.ts'

const MANIFEST_MAX_CHARACTERS = 16 * 1024 * 1024
const title = z.nullable(text())
const objectNumber = count.check(z.maximum(BUNDLE_OBJECTS_MAX - 1))

const facts = { path: text(), size: count, mimetype: text(), modifiedAtMs: z.nullable(instantMs) }
const manifest = z.strictObject({
  title,
  page: z.nullable(
    z.strictObject({ type: z.enum(PASTE_CONTENT_TYPES), text: text(MANIFEST_MAX_CHARACTERS) }),
  ),
  items: z.array(
    z.union([
      z.strictObject({ ...facts, source: z.strictObject({ object: objectNumber }) }),
      z.strictObject({
        ...facts,
        source: z.strictObject({
          ref: z.strictObject({ path: text(), mode: z.enum(REFERENCE_MODES), etag: text() }),
        }),
      }),
      z.strictObject({
        path: text(),
        source: z.strictObject({ folder: z.strictObject({ path: text() }) }),
      }),
    ]),
  ),
})

function requireManifest(stored: string): void {
  if (!stored.startsWith('{')) {
    z.parse(sealedManifest.check(z.minLength(1)), stored)
    return
  }
  const { items } = z.parse(manifest, parseMeasured(stored))
  if (findBundlePathProblems(items.map(({ path }) => path)).size > 0)
    throw new Error('The paths are invalid.')
}

function requireNumbers(objects: string): void {
  z.parse(z.array(objectNumber), parseMeasured(objects))
}

export const bundleRow = z.strictObject({
  ...share,
  revision: count,
  title,
  item_count: count,
  size_bytes: count,
  last_view_at_ms: z.nullable(instantMs),
  /** These fields are absent in backups of earlier versions. */
  sealed: z.optional(sealShown.sealed),
  salt: z.optional(z.nullable(text())),
  kdf: z.optional(z.nullable(text().check(fits((kdf) => z.parse(sealedKdf, JSON.parse(kdf)))))),
  verifier: z.optional(z.nullable(text())),
  owner_box: z.optional(z.nullable(text())),
})

export const revisionRow = z
  .strictObject({
    bundle_id: id,
    revision: count.check(z.minimum(1)),
    manifest: text(MANIFEST_MAX_CHARACTERS).check(fits(requireManifest)),
    manifest_bytes: count,
    objects: text(MANIFEST_MAX_CHARACTERS).check(fits(requireNumbers)),
    title,
    item_count: count,
    size_bytes: count,
    created_at_ms: instantMs,
    replaced_at_ms: z.nullable(instantMs),
  })
  .check(
    // The list must contain all objects of the manifest, because the sweep deletes objects that are not listed.
    z.refine(({ manifest: stored, objects }) => {
      const listed = new Set(JSON.parse(objects) as number[])
      const manifest = readableManifest(stored)
      return manifest === null || objectsNamedBy(manifest).every((number) => listed.has(number))
    }),
  )
