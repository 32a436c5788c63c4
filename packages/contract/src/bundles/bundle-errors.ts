import { defineErrors } from '../core/errors.ts'

export const bundleErrors = defineErrors('bundle', {
  not_found: 404,
  expired: 410,
  used_up: 410,
  slug_taken: 409,
  /**
   * The client's id belongs to another bundle, or to a bundle of the same owner that is published with other settings.
   */
  id_taken: 409,
  password_missing: 401,
  password_wrong: 401,
  /**
   * The ticket is malformed or has expired, or its revision was deleted. Or the bundle's link suffix or password has
   * changed since the ticket was issued.
   */
  ticket_invalid: 403,
  /** The edited revision is no longer the current revision. */
  changed: 409,
  /** The manifest has no page and no item. */
  empty: 400,
  /** `details` lists each invalid path of the manifest. */
  path_invalid: 400,
  manifest_too_large: 413,
  /** The bundle has no uploaded object with this number. */
  object_missing: 409,
  /** The object is uploaded already. Objects do not change. */
  object_exists: 409,
  /** A stored revision uses the object. */
  object_named: 409,
  too_many_objects: 400,
  /** The bundle has no item or folder with this path. */
  item_not_found: 404,
  /** The item is a folder but the route needs a file, or the item is a file but the route needs a folder. */
  item_kind: 400,
  /** The item changed after it was pinned, or no longer exists. Or the owner is no longer allowed to share the item. */
  item_gone: 410,
  revision_not_found: 404,
  /** The request creates a sealed bundle, but lacks the salt or the verifier, or contains a password for the server. */
  seal_incomplete: 400,
  /** The contents that were sent for a sealed bundle are not encrypted, so they are not stored. */
  not_sealed: 422,
  /** The request contains or needs encrypted contents, but the bundle is not sealed. */
  not_sealable: 409,
  /** The request needs the contents of the bundle, which the server cannot read because the bundle is sealed. */
  is_sealed: 406,
  /** The password of a sealed bundle is a part of its key and cannot change. */
  seal_fixed: 409,
  /** The bundle is sealed and opens only with a proof, which the client derives from the key in the link. */
  proof_missing: 401,
  proof_wrong: 401,
})
