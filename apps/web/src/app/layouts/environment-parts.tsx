import { logout } from '../../features/auth/api/auth.api.ts'
import {
  EnvironmentSwitcher,
  OtherServerNote,
} from '../../features/environment/components/environment-switcher.tsx'

interface PartProps {
  /** Whether users can switch the server, rather than only see which one is used. */
  isSwitcher: boolean
}

export const EnvironmentPart = ({ isSwitcher }: PartProps) =>
  isSwitcher ? <EnvironmentSwitcher onLeave={logout} /> : <OtherServerNote onLeave={logout} />
