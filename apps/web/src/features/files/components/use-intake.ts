import { MIB } from '@dropleaf/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatBytes } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import {
  nameScreenshot,
  type PickedFile,
  pickFromDrop,
} from '../../../domains/transfers/uploads/picked-files.ts'
import { provideToBundles } from '../../../domains/bundles/bundle-drafts.ts'
import { addPicks } from '../../../domains/transfers/uploads/share-picks.ts'
import { DEFAULT_MAX_UPLOAD_MB, maxUploadQuery } from '../../../domains/transfers/size-limits/size-limit.ts'

const route = getRouteApi('/upload')

/** Loads files shared from other apps as soon as the size limit is known. */
function useIncomingFiles(isReady: boolean, onFiles: (files: readonly File[]) => void) {
  const { shared } = route.useSearch()
  const navigate = route.useNavigate()
  const isTaken = useRef(false)
  const take = useEffectEvent(async () => {
    isTaken.current = true
    const { takeIncomingFiles } = await import('../upload/incoming-files.ts')
    const files = await takeIncomingFiles()
    if (files.length > 0) onFiles(files)
    if (shared !== undefined) await navigate({ search: {}, replace: true })
  })
  useEffect(() => {
    if (isReady && !isTaken.current) take().catch(reportError)
  }, [isReady])
}

/**
 * Returns functions that add files, and explanations for refused files. Checks only the limit in the settings, because
 * the user can still change the storage.
 */
export function useIntake() {
  const { t, language } = useT()
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const limit = useQuery(maxUploadQuery())
  const limitBytes = (limit.data ?? DEFAULT_MAX_UPLOAD_MB) * MIB
  const limitText = formatBytes(limitBytes, language)
  const take = (picked: readonly PickedFile[], folders: readonly string[] = []) => {
    const isTooLarge = ({ file }: PickedFile) => file.size > limitBytes
    const underWay = addPicks(provideToBundles(picked.filter((one) => !isTooLarge(one))))
    setRefusals([
      ...folders.map((name) => t('bundling.emptyFolder', { name })),
      ...picked
        .filter(isTooLarge)
        .map(({ file: { name, size } }) =>
          t('files.upload.tooLarge', { name, size: formatBytes(size, language), limit: limitText }),
        ),
      ...[...new Set(underWay)].map((name) => t('files.upload.underWay', { name })),
    ])
  }
  const takeFiles = (files: readonly File[]) => take(files.map((file) => ({ file, folder: '' })))
  const takeData = async (data: DataTransfer, isPaste: boolean) => {
    const { files, emptyFolders: folders } = await pickFromDrop(data)
    const named = files.map((one) =>
      isPaste ? { ...one, file: nameScreenshot(one.file, t('files.upload.pastedName')) } : one,
    )
    take(
      named,
      folders.map((name) => name.replace(/\/$/, '')),
    )
  }
  useIncomingFiles(limit.isFetched, takeFiles)
  return { take, takeFiles, takeData, refusals, limitBytes }
}
