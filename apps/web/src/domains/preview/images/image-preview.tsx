import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { TruncationNotice } from '../truncation/truncation-notice.tsx'
import styles from './image-preview.module.css'
import { unlessUnread } from '../reading/byte-source.ts'
import { PreviewError } from '../preview-error.ts'
import type { ProviderProps } from '../providers.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { useBrowserUrl, useFault } from '../use-preview-data.ts'
import { ZoomPicture } from '../../../ui/zoom-picture/zoom-picture.tsx'
import { ImageFacts } from './image-facts.tsx'

/** Shows an image. SVG files are also shown as images, so that they run no scripts and load nothing. */
export function ImagePreview(props: ProviderProps) {
  const { t } = useT()
  const url = useBrowserUrl(props.source, 'picture')
  if (url === null) return <SkeletonLines label={t('preview.loading')} />
  return <PictureWithFacts {...props} url={url} />
}

interface PictureWithFactsProps extends Pick<ProviderProps, 'source' | 'isFull'> {
  /** URL of the image, which can be a converted version of the file. */
  url: string
}

export function PictureWithFacts({ source, isFull, url }: PictureWithFactsProps) {
  const { t } = useT()
  const fail = useFault()
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const [hasFacts, setFacts] = useState(false)
  return (
    <div className={styles.picture} data-full={isFull || undefined}>
      <TruncationNotice source={source} />
      <div className={styles.pictureStage}>
        <ZoomPicture
          url={url}
          name={source.name}
          onFailed={() => void unlessUnread(source, new PreviewError('image')).then(fail)}
          onSize={setSize}
          tools={
            <ToolButton
              label={t('viewer.image.facts')}
              icon={<IconInfoCircle size={20} aria-hidden />}
              isExpanded={hasFacts}
              onClick={() => setFacts(!hasFacts)}
            />
          }
        />
      </div>
      {hasFacts && <ImageFacts source={source} size={size} />}
    </div>
  )
}
