/** A chosen file and its path below the target. */
export interface PickedFile {
  readonly file: File
  /** Folder below the target: `''`, or `a/b/`. */
  readonly folder: string
  /** Opens the file again after a reload, where supported. */
  readonly handle?: FileSystemFileHandle
}

export interface Picked {
  readonly files: PickedFile[]
  /** Empty folders, as `a/b/`. */
  readonly emptyFolders: string[]
}

type HandleItem = DataTransferItem & {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => {
    entry.file(resolve, reject)
  })

/** Browsers return the entries of a folder in batches; an empty one is the end. */
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
    // Optional: without handles the user chooses the file again after a reload.
    return null
  }
}

interface DropOptions {
  /** Whether folders are read; otherwise each counts as an empty folder. */
  readonly readsFolders?: boolean
}

/** Reads dropped or pasted files with their folder trees. Must be called within the event, before its items expire. */
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

/** Reads a file field; one for folders has relative paths. */
export function pickFromInput(files: FileList): PickedFile[] {
  return [...files].map((file) => {
    const path = file.webkitRelativePath
    return { file, folder: path.slice(0, path.lastIndexOf('/') + 1) }
  })
}

interface OpenPicker {
  showOpenFilePicker?: (o: { multiple: boolean }) => Promise<FileSystemFileHandle[]>
}

/** Whether the browser can ask for files that it opens again after a reload. */
export const remembersFiles = (): boolean =>
  'showOpenFilePicker' in window && window.showOpenFilePicker !== undefined

/**
 * Asks for files with handles that can be opened again after a reload. Must be called within a click.
 * @returns `null` if not supported or not allowed.
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

/** Browsers name every pasted image `image.png`: adds the time. */
export function nameScreenshot(file: File, prefix: string, now = new Date()): File {
  if (file.name !== 'image.png') return file
  const day = `${now.getFullYear()}${pad(now.getMonth() + 1)}${pad(now.getDate())}`
  const time = `${pad(now.getHours())}${pad(now.getMinutes())}${pad(now.getSeconds())}`
  return new File([file], `${prefix}-${day}-${time}.png`, {
    type: file.type,
    lastModified: file.lastModified,
  })
}
