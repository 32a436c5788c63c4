import { useMantineColorScheme } from '@mantine/core'
import { type NavigateOptions, useNavigate, useRouter } from '@tanstack/react-router'
import { logout } from '../../features/auth/api/auth.api.ts'
import { hrefOf } from '../../lib/browser/base-path.ts'
import { switchLanguage } from '../../i18n/i18n.ts'
import { requestAction } from '../../lib/pending-actions.ts'
import type { Act } from './items.ts'

/** Focuses the opened page, unless an element in the page has the focus. */
function focusPage() {
  const isTaken = document.activeElement?.closest('main, dialog') ?? null
  if (isTaken === null) document.getElementById('content')?.focus({ preventScroll: true })
}

/** Runs the chosen item after the palette has closed. */
export function useRunAction(showKeys: () => void): (act: Act) => void {
  const navigate = useNavigate()
  const router = useRouter()
  const { setColorScheme } = useMantineColorScheme()
  return (act) => {
    switch (act.kind) {
      case 'go':
        if (act.action) requestAction(act.action)
        void navigate(act.to as NavigateOptions).then(focusPage)
        break
      case 'open':
        router.history.push(hrefOf(act.path))
        break
      case 'action':
        requestAction(act.action)
        break
      case 'language':
        void switchLanguage(act.language)
        break
      case 'theme':
        setColorScheme(act.theme)
        break
      case 'keys':
        showKeys()
        break
      case 'logout':
        void logout()
        break
      default:
        act satisfies never
    }
  }
}
