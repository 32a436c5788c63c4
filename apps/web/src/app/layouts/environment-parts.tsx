import { logout } from '../../features/auth/api/auth.api.ts'
import {
  EnvironmentSwitcher,
  OtherServerNote,
} from '../../features/environment/components/environment-switcher.tsx'

interface PartProps {
  /** Whether users can switch servers. Otherwise they only see which server is used. */
  isSwitcher: boolean
}

export const EnvironmentPart = ({ isSwitcher }: PartProps) =>
  isSwitcher ? <EnvironmentSwitcher onLeave={logout} /> : <OtherServerNote onLeave={logout} />
