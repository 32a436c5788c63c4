import { errorText } from '../../../i18n/error-text.ts'
import { useLoginResolved } from '../use-login-resolved.ts'
import { Banner } from '../../../ui/feedback/message.tsx'

/** Shows why an action failed. Shows nothing if a new login has resolved the failure. */
export function Failure({ error }: { error: unknown }) {
  return useLoginResolved(error) ? null : <Banner tone="error">{errorText(error)}</Banner>
}
