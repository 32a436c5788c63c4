import { use, useCallback, useState } from 'react'
import { RelativeFilesContext } from '../../markdown/prose/relative-files-context.ts'
import { Prose, type ProseProps } from '../../markdown/prose/prose.tsx'
import { BlockedContentBar } from '../blocked-content-bar.tsx'

interface GuardedProseProps extends Pick<ProseProps, 'markdown' | 'fallback'> {
  /** Of the place of the text. */
  className?: string | undefined
}

/** Foreign Markdown: other sites are contacted only after a choice. */
export function GuardedProse({ markdown, fallback, className }: GuardedProseProps) {
  const [hosts, setHosts] = useState<ReadonlySet<string>>(new Set())
  const [isLoaded, setLoaded] = useState(false)
  const beside = use(RelativeFilesContext)
  // What of a text was drawn before tells of its hosts no more.
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
