import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { loadWords } from '../i18n/i18n.ts'
import { fetchPart } from '../domains/offline/missing-part.ts'
import type { PagePart } from './page-parts.ts'

/** The component of a page or module, which loads with its texts when it is first shown. */
export const lazyPage = <Module extends Record<Name, RouteComponent>, Name extends keyof Module & string>(
  { load, words }: PagePart<Module>,
  name: Name,
) =>
  lazyRouteComponent(
    () => fetchPart(Promise.all([load(), ...words.map(loadWords)]).then(([loaded]) => loaded)),
    name,
  )
