import { Button } from '@mantine/core'
import { MIB } from '@dropleaf/contract'
import { type ReactNode, useState } from 'react'
import { decodeGuessed } from '../../../lib/text/detect-encoding.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { readAll } from '../reading/byte-source.ts'
import partStyles from '../preview-parts.module.css'
import textStyles from './text-preview.module.css'
import type { ProviderProps } from '../providers.ts'
import { SafeFrame } from '../safe-frame.tsx'
import { usePreviewData } from '../use-preview-data.ts'
import { GuardedProse } from './guarded-prose.tsx'
import { TextPreview } from './text-preview.tsx'

const MAX_BYTES = 10 * MIB

const useWholeText = (source: ProviderProps['source']) =>
  usePreviewData({
    source,
    key: ['whole-text'],
    load: async (signal) =>
      (await decodeGuessed(await readAll(source, { maxBytes: MAX_BYTES, signal }), false)).text,
  })

/** Shows Markdown, rendered or as source. Rendered is the default. */
export function MarkdownPreview(props: ProviderProps) {
  return <TwoWays {...props} isSourceFirst={false} Rendered={Formatted} />
}

/** Shows an HTML page, as source or rendered. Source is the default. */
export function PagePreview(props: ProviderProps) {
  return <TwoWays {...props} isSourceFirst Rendered={ForeignPage} />
}

interface TwoWaysProps extends ProviderProps {
  isSourceFirst: boolean
  Rendered: (props: ProviderProps) => ReactNode
}

function TwoWays({ isSourceFirst, Rendered, ...props }: TwoWaysProps) {
  const { t } = useT()
  const [isSource, setSource] = useState(isSourceFirst)
  return (
    <div className={textStyles.text}>
      <div className={partStyles.bar}>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setSource(!isSource)}>
          {isSource ? t('preview.rendered') : t('preview.source')}
        </Button>
      </div>
      {isSource ? <TextPreview {...props} /> : <Rendered {...props} />}
    </div>
  )
}

function Formatted({ source }: ProviderProps) {
  const { t } = useT()
  const text = useWholeText(source)
  const skeleton = <SkeletonLines label={t('preview.loading')} />
  return text === undefined ? (
    skeleton
  ) : (
    <GuardedProse className={textStyles.prose} markdown={text} fallback={skeleton} />
  )
}

/** Shows foreign HTML in a separate origin, without scripts, forms or pop-ups. */
function ForeignPage({ source }: ProviderProps) {
  const { t } = useT()
  const html = useWholeText(source)
  if (html === undefined) return <SkeletonLines label={t('preview.loading')} />
  return (
    <>
      <SafeFrame html={html} title={source.name} />
      <p className={partStyles.note}>{t('preview.html')}</p>
    </>
  )
}
