import { defineErrors } from './errors.ts'

/** Failures that only the WebDAV face has. It answers in the words of RFC 4918, not with the envelope. */
export const webdavErrors = defineErrors('webdav', {
  /** Something there, above it or below it is locked, and the request does not show the token. */
  locked: 423,
  /** A condition of the request (`If`, `If-Match`, `Overwrite: F`, …) does not hold. */
  condition_failed: 412,
  /** A token that names no lock of this place. */
  lock_unknown: 409,
  /** `PROPFIND` of a whole tree. */
  depth_infinite: 403,
  header_invalid: 400,
  /** A `Depth` that the method does not take, or not of a folder. */
  depth_invalid: 400,
  /** A `PUT` of a part (`Content-Range`), which would replace the whole file. */
  part_refused: 400,
  xml_invalid: 400,
  /** A body where the method has none. */
  body_unexpected: 415,
  /** `Content-Encoding` says that the bytes are not the file itself. */
  coding_unsupported: 415,
  /** `Transfer-Encoding` names more than chunks. */
  transfer_unsupported: 501,
  /** Another number of bytes came than `X-Expected-Entity-Length` announced. */
  length_mismatch: 400,
  /** More properties than one resource may have. */
  properties_full: 507,
  /** More locks than may hold for one thing. */
  locks_full: 507,
  /** Something is at the address already, or its kind knows no such method. */
  method_impossible: 405,
  /** Source and target are the same. */
  same_place: 403,
  /** The target is not on this server's network drive. */
  target_elsewhere: 502,
})

/** Where the network drive lies on the server. */
export const WEBDAV_PREFIX = '/dav'

/** Seconds that a lock lasts when its client does not say, and at most. */
export const WEBDAV_LOCK_SECONDS = 600
export const WEBDAV_LOCK_MAX_SECONDS = 7200
