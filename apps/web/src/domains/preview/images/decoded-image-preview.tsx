import { MIB } from '@dropleaf/contract'
import { useEffect, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { readAll } from '../reading/byte-source.ts'
import { PageSteps } from '../page-steps.tsx'
import type { ProviderProps } from '../providers.ts'
import { usePreviewData } from '../use-preview-data.ts'
import { askWorker } from '../reading/ask-worker.ts'
import type { DecodedPage } from './decoded-page.ts'
import { PictureWithFacts } from './image-preview.tsx'

const MAX_BYTES = 128 * MIB

interface DecodedProps extends ProviderProps {
  decoder: 'heic' | 'tiff'
  start: () => Worker
}

/** Decodes and shows an image in a format that browsers do not support. */
function Decoded({ source, isFull, decoder, start }: DecodedProps) {
  const { t } = useT()
  const [page, setPage] = useState(0)
  const decoded = usePreviewData({
    source,
    key: [decoder, page],
    load: async (signal) => {
      const bytes = await readAll(source, { maxBytes: MAX_BYTES, signal })
      return askWorker<DecodedPage>(start(), { bytes, page }, { transfer: [bytes.buffer], signal })
    },
  })
  const url = useBlobUrl(decoded?.picture)
  return (
    <>
      {url === null ? (
        <SkeletonLines label={t('preview.loading')} />
      ) : (
        <PictureWithFacts key={url} source={source} isFull={isFull} url={url} />
      )}
      {decoded && decoded.pages > 1 && <PageSteps page={page} count={decoded.pages} onChange={setPage} />}
    </>
  )
}

function useBlobUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return undefined
    const made = URL.createObjectURL(blob)
    // oxlint-disable-next-line react/set-state-in-effect -- the object URL is created and revoked with the effect
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [blob])
  return url
}

export function HeicPreview(props: ProviderProps) {
  return (
    <Decoded
      {...props}
      decoder="heic"
      start={() => new Worker(new URL('./heic.worker.ts', import.meta.url), { type: 'module' })}
    />
  )
}

export function TiffPreview(props: ProviderProps) {
  return (
    <Decoded
      {...props}
      decoder="tiff"
      start={() => new Worker(new URL('./tiff.worker.ts', import.meta.url), { type: 'module' })}
    />
  )
}
