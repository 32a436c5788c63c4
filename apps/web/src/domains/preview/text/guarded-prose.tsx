import { use, useCallback, useState } from 'react'
import { RelativeFilesContext } from '../../markdown/prose/relative-files-context.ts'
import { Prose, type ProseProps } from '../../markdown/prose/prose.tsx'
import { BlockedContentBar } from '../blocked-content-bar.tsx'

interface GuardedProseProps extends Pick<ProseProps, 'markdown' | 'fallback'> {
  /** Class name of the text element. */
  className?: string | undefined
}

/** Shows foreign Markdown. Loads content from other sites only on request. */
export function GuardedProse({ markdown, fallback, className }: GuardedProseProps) {
  const [hosts, setHosts] = useState<ReadonlySet<string>>(new Set())
  const [isLoaded, setLoaded] = useState(false)
  const beside = use(RelativeFilesContext)
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
      {!isLoaded && <BlockedContentBar hosts={[...hosts]} onLoad={() => setLoaded(true)} />}
      <div className={className} dir="auto">
        <Prose
          key={String(isLoaded)}
          markdown={markdown}
          fallback={fallback}
          beside={beside}
          {...(!isLoaded && { onLeftOut: addHosts })}
        />
      </div>
    </>
  )
}
