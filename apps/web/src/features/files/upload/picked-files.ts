/** What came in by drop or paste. Folders cannot be read as files and are named apart. */
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

const pad = (value: number) => String(value).padStart(2, '0')

/** Browsers call every pasted picture `image.png`: the time tells them apart. */
export function nameScreenshot(file: File, prefix: string, now = new Date()): File {
  if (file.name !== 'image.png') return file
  const day = `${now.getFullYear()}${pad(now.getMonth() + 1)}${pad(now.getDate())}`
  const time = `${pad(now.getHours())}${pad(now.getMinutes())}${pad(now.getSeconds())}`
  return new File([file], `${prefix}-${day}-${time}.png`, {
    type: file.type,
    lastModified: file.lastModified,
  })
}
