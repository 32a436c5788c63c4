/** Dropped or pasted files. Folders cannot be read as files and are listed separately. */
export interface PickedFiles {
  readonly files: readonly File[]
  readonly folderNames: readonly string[]
}

export function filesOfTransfer(transfer: DataTransfer): PickedFiles {
  const files: File[] = []
  const folderNames: string[] = []
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry()
    const file = item.getAsFile()
    if (entry?.isDirectory) folderNames.push(entry.name)
    else if (file) files.push(file)
  }
  return { files, folderNames }
}
