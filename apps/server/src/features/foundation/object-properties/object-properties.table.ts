/** A property that a client set on a file or folder. */
export interface DavPropertiesTable {
  storage_config_id: string
  /** A file's key, or a folder's without its slash; empty for the root of the storage. */
  storage_key: string
  /** Key of the parent folder, in the same form: one query finds the properties of a whole listing. */
  parent_key: string
  namespace: string
  name: string
  /** The complete element, with all namespace declarations that it needs. */
  xml: string
}

/** A client-set time of a file, for one version of its bytes. */
export interface DavTimesTable {
  storage_config_id: string
  storage_key: string
  parent_key: string
  /** Etag of the version to which the time applies: a file that is written otherwise has its own time again. */
  etag: string
  modified_at_ms: number
}
