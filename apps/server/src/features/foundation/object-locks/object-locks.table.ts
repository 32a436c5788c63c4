/** A lock of RFC 4918 on a name in a storage, whichever mount shows it. */
export interface DavLocksTable {
  /** Without the scheme. */
  token: string
  storage_config_id: string
  /** A file's key, or a folder's without its slash; empty for the top of the storage. */
  storage_key: string
  /** Holds for everything below, too. */
  is_deep: number
  is_exclusive: number
  /** What the client says of its user: an XML element, or nothing. */
  owner_xml: string
  /** Who took it, see `creatorOf`. */
  created_by: string
  timeout_seconds: number
  expires_at_ms: number
}
