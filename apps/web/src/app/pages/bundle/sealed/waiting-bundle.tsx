import { useCallback } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import { followInside } from '../follow-inside.ts'
import { findEarlyText } from './early-text.ts'

/** Shows the text that the first script has drawn, or a skeleton, until the app has opened the bundle. */
export function WaitingBundle({ slug }: { slug: string }) {
  const { t } = useT()
  const fill = useCallback(
    (host: HTMLElement | null) => {
      const copy = findEarlyText(slug)?.cloneNode(true)
      if (!host || !copy) return undefined
      host.replaceChildren(copy)
      host.addEventListener('click', followInside)
      return () => host.removeEventListener('click', followInside)
    },
    [slug],
  )
  if (findEarlyText(slug)) return <div ref={fill} />
  return (
    <div className="dl-bundle">
      <SkeletonLines label={t('common.loading')} widths={['50%', '30%', '100%', '100%', '70%']} />
    </div>
  )
}
