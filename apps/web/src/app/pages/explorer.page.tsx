import type { ReactNode } from 'react'
import { Explorer } from '../../features/fs/components/explorer.tsx'
import { addMountUploads } from '../../lib/transfers/mount-uploads.ts'
import { pickFromInput } from '../../lib/transfers/picked-files.ts'

function pickAndUpload(directory: string) {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.addEventListener('change', () => {
    if (input.files) addMountUploads({ directory, picked: pickFromInput(input.files) })
  })
  input.click()
}

/** The files of the mounts, with what other features add to them. */
export function ExplorerPage(): ReactNode {
  return <Explorer onUpload={pickAndUpload} />
}
