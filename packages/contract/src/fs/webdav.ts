import { defineErrors } from '../core/errors.ts'

/** Errors that only WebDAV returns. Their replies follow RFC 4918, without the envelope. */
export const webdavErrors = defineErrors('webdav', {
  /** The resource, a parent or a descendant is locked, and the request does not contain the lock's token. */
  locked: 423,
  /** A precondition of the request (`If`, `If-Match`, `Overwrite: F`, …) failed. */
  condition_failed: 412,
  /** The token does not belong to a lock on this resource, or the caller is not allowed to release the lock. */
  lock_unknown: 409,
  /** `PROPFIND` with infinite depth is not supported. */
  depth_infinite: 403,
  header_invalid: 400,
  /** The method does not support this `Depth` header. */
  depth_invalid: 400,
  /** `PUT` with `Content-Range` is not supported, because the request would replace the whole file. */
  part_refused: 400,
  xml_invalid: 400,
  /** The method does not accept a body. */
  body_unexpected: 415,
  /** `Content-Encoding` is not supported, because the body would not be the file itself. */
  coding_unsupported: 415,
  /** `Transfer-Encoding` is something other than `chunked`. */
  transfer_unsupported: 501,
  /** The size of the body differs from `X-Expected-Entity-Length`. */
  length_mismatch: 400,
  /** The resource has too many properties. */
  properties_full: 507,
  /** The resource has too many locks. */
  locks_full: 507,
  /** The resource already exists, or does not support the method. */
  method_impossible: 405,
  /** Source and target are the same resource. */
  same_place: 403,
  /** The target is not on this server's WebDAV drive. */
  target_elsewhere: 502,
})

/** Path prefix of the WebDAV drive. */
export const WEBDAV_PREFIX = '/dav'

/** Default and maximum lifetime of a lock, in seconds. */
export const WEBDAV_LOCK_SECONDS = 600
export const WEBDAV_LOCK_MAX_SECONDS = 7200
