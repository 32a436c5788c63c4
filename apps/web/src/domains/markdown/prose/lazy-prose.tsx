import { Suspense, lazy } from 'react'
import type { ProseProps } from './prose.tsx'

const Prose = lazy(async () => {
  const { Prose: Loaded } = await import('./prose.tsx')
  return { default: Loaded }
})

/** {@link Prose} for pages that are there before any text is to be shown formatted. */
export const LazyProse = (props: ProseProps) => (
  <Suspense fallback={props.fallback}>
    <Prose {...props} />
  </Suspense>
)
