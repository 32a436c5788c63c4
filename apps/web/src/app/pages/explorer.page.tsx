import { type ReactNode, useState } from 'react'
import { Explorer } from '../../features/fs/components/explorer.tsx'
import { UploadDialog } from '../../features/uploads/components/upload-dialog.tsx'

/** The files of the mounts, with what other features add to them. */
export function ExplorerPage(): ReactNode {
  const [uploadTo, setUploadTo] = useState<string | null>(null)
  return (
    <>
      <Explorer onUpload={setUploadTo} />
      {uploadTo !== null && <UploadDialog directory={uploadTo} onClose={() => setUploadTo(null)} />}
    </>
  )
}
