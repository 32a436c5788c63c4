/** A WebDAV property that a client set on a file or folder. */
export interface DavPropertiesTable {
  storage_config_id: string
  /** A file's key, or a folder's key without the trailing slash; empty for the root of the storage. */
  storage_key: string
  /**
   * Key of the parent folder in the form of `storage_key`, so that one query finds the properties of a whole listing.
   */
  parent_key: string
  namespace: string
  name: string
  /** The complete XML element, including all namespace declarations it needs. */
  xml: string
}

/** A modification time that a client set for one version of a file. */
export interface DavTimesTable {
  storage_config_id: string
  storage_key: string
  parent_key: string
  /** Etag of the version to which the time applies. Other versions have the storage's modification time. */
  etag: string
  modified_at_ms: number
}
