/** A chosen file with its folder below the target. */
export interface PickedFile {
  readonly file: File
  /** Folder below the target, such as `a/b/`, or `''`. */
  readonly folder: string
  /** Reopens the file after a reload, if the browser supports this. */
  readonly handle?: FileSystemFileHandle
}

export interface Picked {
  readonly files: PickedFile[]
  /** Paths of empty folders, such as `a/b/`. */
  readonly emptyFolders: string[]
}

type HandleItem = DataTransferItem & {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => {
    entry.file(resolve, reject)
  })

/** Reads all entries of a folder. Browsers return the entries in batches, and an empty batch at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (batch.length === 0) return all
    all.push(...batch)
  }
}

async function walk(entry: FileSystemEntry, folder: string, picked: Picked): Promise<void> {
  if (entry.isFile) {
    picked.files.push({ file: await fileOf(entry as FileSystemFileEntry), folder })
    return
  }
  const inside = `${folder}${entry.name}/`
  const entries = await entriesOf(entry as FileSystemDirectoryEntry)
  if (entries.length === 0) picked.emptyFolders.push(inside)
  for (const child of entries) await walk(child, inside, picked)
}

async function handleOf(item: HandleItem): Promise<FileSystemFileHandle | null> {
  try {
    const handle = await item.getAsFileSystemHandle?.()
    return handle?.kind === 'file' ? (handle as FileSystemFileHandle) : null
  } catch {
    // Handles are optional. Without a handle, the user has to choose the file again after a reload.
    return null
  }
}

interface DropOptions {
  /** Whether to read folders. If `false`, each folder counts as empty. */
  readonly readsFolders?: boolean
}

/**
 * Reads dropped or pasted files with their folders. Must be called in the event handler, because the items are not
 * available later.
 */
export async function pickFromDrop(
  data: DataTransfer,
  { readsFolders = true }: DropOptions = {},
): Promise<Picked> {
  const items = [...data.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile(), handle: handleOf(item) }))
  const picked: Picked = { files: [], emptyFolders: [] }
  for (const { entry, file, handle } of items) {
    if (entry?.isDirectory && !readsFolders) picked.emptyFolders.push(`${entry.name}/`)
    else if (entry?.isDirectory) await walk(entry, '', picked)
    else if (file) {
      const found = await handle
      picked.files.push({ file, folder: '', ...(found && { handle: found }) })
    }
  }
  return picked
}

/** Reads the files of a file field. Fields for folders supply relative paths. */
export function pickFromInput(files: FileList): PickedFile[] {
  return [...files].map((file) => {
    const path = file.webkitRelativePath
    return { file, folder: path.slice(0, path.lastIndexOf('/') + 1) }
  })
}

interface OpenPicker {
  showOpenFilePicker?: (o: { multiple: boolean }) => Promise<FileSystemFileHandle[]>
}

/** Whether the browser supports file handles, which can be reopened after a reload. */
export const remembersFiles = (): boolean =>
  'showOpenFilePicker' in window && window.showOpenFilePicker !== undefined

/**
 * Asks the user for files, with handles that can be reopened after a reload. Must be called in a click handler.
 * @returns an empty list if the user cancels; `null` if the browser does not support or allow file handles
 */
export async function pickWithHandles(): Promise<PickedFile[] | null> {
  const picker = window as unknown as OpenPicker
  if (!picker.showOpenFilePicker) return null
  try {
    const handles = await picker.showOpenFilePicker({ multiple: true })
    return await Promise.all(
      handles.map(async (handle) => ({ file: await handle.getFile(), folder: '', handle })),
    )
  } catch (error) {
    const isGivenUp = error instanceof DOMException && error.name === 'AbortError'
    return isGivenUp ? [] : null
  }
}

const pad = (value: number) => String(value).padStart(2, '0')

/** Adds the time to the name of a pasted image, because browsers name every pasted image `image.png`. */
export function nameScreenshot(file: File, prefix: string, now = new Date()): File {
  if (file.name !== 'image.png') return file
  const day = `${now.getFullYear()}${pad(now.getMonth() + 1)}${pad(now.getDate())}`
  const time = `${pad(now.getHours())}${pad(now.getMinutes())}${pad(now.getSeconds())}`
  return new File([file], `${prefix}-${day}-${time}.png`, {
    type: file.type,
    lastModified: file.lastModified,
  })
}
