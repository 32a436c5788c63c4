/** A lock of RFC 4918 on a name in a storage, in every mount that shows it. */
export interface DavLocksTable {
  /** Without the scheme. */
  token: string
  storage_config_id: string
  /** A file's key, or a folder's without its slash; empty for the root of the storage. */
  storage_key: string
  /** Depth infinity: applies to everything below too. */
  is_deep: number
  is_exclusive: number
  /** The client's description of its user: an XML element, or empty. */
  owner_xml: string
  /** The creator, see `creatorOf`. */
  created_by: string
  timeout_seconds: number
  expires_at_ms: number
}
