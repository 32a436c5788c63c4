export { type Bytes, fromBase64url, sealedText, toBase64url } from './core/bytes.ts'
export * from './core/errors.ts'
export type { Sealed } from './core/sealed.ts'
export {
  createDerivePassword,
  createKdf,
  type DerivePassword,
  derivePassword,
  type Kdf,
  parseKdf,
} from './keys/kdf.ts'
export { formatLinkKey, parseLinkKey } from './keys/link-key.ts'
export { deriveShareKeys, type ShareKeys } from './keys/schedule.ts'
export * from './keys/share.ts'
export { type ManifestPlace, openManifest, sealManifest } from './manifest/manifest.ts'
export type { Manifest, ManifestItem, ManifestObject, ManifestPage } from './manifest/manifest.schema.ts'
export { INLINE_TEXT_MAX_BYTES, MANIFEST_VERSION, THUMBNAIL_MAX_BYTES } from './manifest/manifest.schema.ts'
export * from './objects/geometry.ts'
export { sealPart, type SealedPart } from './objects/seal-part.ts'
export * from './portable/portable.ts'
export { openZip } from './portable/zip.ts'
export {
  type PlacedEntry,
  placeZipEntries,
  zipDirectory,
  type ZipEntry,
  zipEntryHeader,
} from './portable/zip-writing.ts'
export type { ReadRange, StoredBytes, StoredRange } from './reading/segments.ts'
export * from './reading/sealed-source.ts'
export * from './sending/encrypting-source.ts'
export type { EncryptingState, PartAttempt } from './sending/encrypting-state.ts'
export * from './sending/packs.ts'
export type { PlainRange, PlainReader } from './sending/plain-reader.ts'
