/**
 * A WebDAV lock (RFC 4918) on a file or folder in a storage. The lock applies in every mount that shows the file or
 * folder.
 */
export interface DavLocksTable {
  /** The lock token without its URI scheme. */
  token: string
  storage_config_id: string
  /** A file's key, or a folder's key without the trailing slash; empty for the root of the storage. */
  storage_key: string
  /** 1 for depth infinity, which means that the lock applies to everything below. */
  is_deep: number
  is_exclusive: number
  /** The client's description of the lock's owner: an XML element, or empty. */
  owner_xml: string
  /** Creator as returned by `creatorOf`. */
  created_by: string
  timeout_seconds: number
  expires_at_ms: number
}
