/** A property that a client gave to a file or folder. */
export interface DavPropertiesTable {
  storage_config_id: string
  /** A file's key, or a folder's without its slash; empty for the top of the storage. */
  storage_key: string
  /** Key of the folder around it, likewise: one query finds those of a whole listing. */
  parent_key: string
  namespace: string
  name: string
  /** The whole element, with every namespace declared that it needs. */
  xml: string
}

/** The time of a file that a client asked to be shown, for one version of its bytes. */
export interface DavTimesTable {
  storage_config_id: string
  storage_key: string
  parent_key: string
  /** Of the version that the time is for: a file that is written by other ways has its own time again. */
  etag: string
  modified_at_ms: number
}
