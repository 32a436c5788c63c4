import { Suspense, lazy } from 'react'
import type { ProseProps } from './prose.tsx'

const Prose = lazy(async () => {
  const { Prose: Loaded } = await import('./prose.tsx')
  return { default: Loaded }
})

/** {@link Prose} in a separate chunk, for pages that show formatted text later. */
export const LazyProse = (props: ProseProps) => (
  <Suspense fallback={props.fallback}>
    <Prose {...props} />
  </Suspense>
)
