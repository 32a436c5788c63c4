import { lazy, Suspense, use, useCallback, useState } from 'react'
import { loadWords } from '../../../i18n/i18n.ts'
import { RelativeFilesContext } from '../../markdown/prose/relative-files-context.ts'
import { Prose, type ProseProps } from '../../markdown/prose/prose.tsx'

/** This component is loaded on demand, because most texts contain nothing from other sites. */
const BlockedContentBar = lazy(async () => {
  const [module] = await Promise.all([import('../blocked-content-bar.tsx'), loadWords('viewer')])
  return { default: module.BlockedContentBar }
})

interface GuardedProseProps extends Pick<ProseProps, 'markdown' | 'fallback' | 'beside'> {
  /** Class name of the text element. */
  className?: string | undefined
}

/** Shows foreign Markdown. Loads content from other sites only on request. */
export function GuardedProse({ markdown, fallback, beside, className }: GuardedProseProps) {
  const [hosts, setHosts] = useState<ReadonlySet<string>>(new Set())
  const [isLoaded, setLoaded] = useState(false)
  const besideHere = use(RelativeFilesContext)
  // Hosts of earlier versions of the text remain in the set.
  const addHosts = useCallback(
    (found: ReadonlySet<string>) =>
      setHosts((known) =>
        [...found].every((host) => known.has(host)) ? known : new Set([...known, ...found]),
      ),
    [],
  )
  return (
    <>
      <Suspense fallback={null}>
        {!isLoaded && hosts.size > 0 && (
          <BlockedContentBar hosts={[...hosts]} onLoad={() => setLoaded(true)} />
        )}
      </Suspense>
      <div className={className} dir="auto">
        <Prose
          key={String(isLoaded)}
          markdown={markdown}
          fallback={fallback}
          beside={beside ?? besideHere}
          {...(!isLoaded && { onLeftOut: addHosts })}
        />
      </div>
    </>
  )
}
