import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { otherServer } from '../../lib/server-address.ts'
import { loadWords } from '../../i18n/i18n.ts'
import { useSession } from '../../domains/session/session.ts'

const Part = lazy(async () => {
  const [{ EnvironmentPart }] = await Promise.all([import('./environment-parts.tsx'), loadWords('admin')])
  return { default: EnvironmentPart }
})

/**
 * Lets administrators switch to another server if the URL has the parameter `showEnvSwitcher`. Lets every user switch
 * back.
 */
export function Environment() {
  const isAsked = useRouterState({ select: ({ location }) => 'showEnvSwitcher' in location.search })
  const isAdmin = useSession().kind === 'admin'
  const isSwitcher = isAsked && isAdmin
  if (!isSwitcher && otherServer === null) return null
  return (
    <Suspense fallback={null}>
      <Part isSwitcher={isSwitcher} />
    </Suspense>
  )
}
