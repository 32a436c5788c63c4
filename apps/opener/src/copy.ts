import { OpenerError } from './opening.ts'
import { openZip, PORTABLE_FACTS_NAME, type PortableFile, type PortableFiles } from '@dropleaf/seal'

const fileOf = (blob: Blob): PortableFile => ({
  size: blob.size,
  read: async (offset, length) => {
    try {
      return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
    } catch (error) {
      // The browser refuses a file that was changed, moved or deleted after it was chosen.
      throw new OpenerError('fileChanged', {}, error)
    }
  },
})

/** Returns the chosen files as a copy: one archive, or the files of a folder. */
export async function readChosen(files: readonly File[]): Promise<PortableFiles> {
  const [first, other] = files
  if (first && !other && first.name !== PORTABLE_FACTS_NAME) return openZip(fileOf(first))
  const known = new Map(files.map((file) => [file.name, file]))
  return {
    async find(name) {
      const file = known.get(name)
      return file ? fileOf(file) : null
    },
  }
}
