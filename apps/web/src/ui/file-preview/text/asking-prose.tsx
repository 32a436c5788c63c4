import { use, useCallback, useState } from 'react'
import { FilesBesideContext } from '../../files-beside.ts'
import { Prose, type ProseProps } from '../../prose.tsx'
import { LeftOutBar } from '../left-out-bar.tsx'

interface AskingProseProps extends Pick<ProseProps, 'markdown' | 'fallback'> {
  /** Of the place of the text. */
  className?: string | undefined
}

/** Foreign Markdown: other sites are contacted only after a choice. */
export function AskingProse({ markdown, fallback, className }: AskingProseProps) {
  const [hosts, setHosts] = useState<ReadonlySet<string>>(new Set())
  const [isLoaded, setLoaded] = useState(false)
  const beside = use(FilesBesideContext)
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
      {!isLoaded && <LeftOutBar hosts={[...hosts]} onLoad={() => setLoaded(true)} />}
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
