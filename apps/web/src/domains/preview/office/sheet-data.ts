export interface SheetTable {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
  /** Whether some rows or columns are omitted. */
  readonly isCut: boolean
}

export type SheetReply = { readonly sheets: readonly SheetTable[] } | { readonly isEncrypted: true }
