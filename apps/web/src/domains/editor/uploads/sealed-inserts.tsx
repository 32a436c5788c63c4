import { type ReactNode, use, useMemo } from 'react'
import { type FileUploads, FileUploadsContext } from './upload-file.ts'
import { useT } from '../../../i18n/use-translation.ts'

interface SealedInsertsProps {
  isSealed: boolean
  children: ReactNode
}

/**
 * Prevents uploads of files that are inserted into an editor whose text will be encrypted. Such files would get
 * separate links without encryption.
 */
export function SealedInserts({ isSealed, children }: SealedInsertsProps) {
  const { t } = useT()
  const open = use(FileUploadsContext)
  const uploads = useMemo((): FileUploads | null => {
    if (!isSealed || !open) return open
    const reason = t('common.sealed.inserted')
    return { ...open, upload: () => Promise.reject(new Error(reason)), reasonOf: () => reason }
  }, [isSealed, open, t])
  return <FileUploadsContext value={uploads}>{children}</FileUploadsContext>
}
