export interface SheetTable {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
  /** Whether there is more than is shown. */
  readonly isCut: boolean
}

export type SheetReply = { readonly sheets: readonly SheetTable[] } | { readonly isEncrypted: true }
