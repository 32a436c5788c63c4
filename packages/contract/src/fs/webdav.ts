import { defineErrors } from '../core/errors.ts'

/** Errors that only WebDAV has. The reply follows RFC 4918, without the envelope. */
export const webdavErrors = defineErrors('webdav', {
  /** The resource, a parent or a descendant is locked, and the request has no token for it. */
  locked: 423,
  /** A precondition of the request (`If`, `If-Match`, `Overwrite: F`, …) failed. */
  condition_failed: 412,
  /** The token does not belong to a lock of this resource. */
  lock_unknown: 409,
  /** `PROPFIND` of a whole tree. */
  depth_infinite: 403,
  header_invalid: 400,
  /** The method does not support this `Depth`, or not for a folder. */
  depth_invalid: 400,
  /** A `PUT` with `Content-Range`, which would replace the whole file. */
  part_refused: 400,
  xml_invalid: 400,
  /** The method does not take a body. */
  body_unexpected: 415,
  /** `Content-Encoding` is set, so the bytes are not the file itself. */
  coding_unsupported: 415,
  /** `Transfer-Encoding` is not just `chunked`. */
  transfer_unsupported: 501,
  /** The number of bytes differs from `X-Expected-Entity-Length`. */
  length_mismatch: 400,
  /** Too many properties on one resource. */
  properties_full: 507,
  /** Too many locks on one resource. */
  locks_full: 507,
  /** The resource exists already, or does not support the method. */
  method_impossible: 405,
  /** Source and target are the same resource. */
  same_place: 403,
  /** The target is not on this server's network drive. */
  target_elsewhere: 502,
})

/** Path prefix of the network drive. */
export const WEBDAV_PREFIX = '/dav'

/** Default lifetime of a lock in seconds, and the maximum. */
export const WEBDAV_LOCK_SECONDS = 600
export const WEBDAV_LOCK_MAX_SECONDS = 7200
