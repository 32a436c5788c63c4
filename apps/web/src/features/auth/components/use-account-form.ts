import { ADMIN_PASSWORD_MIN_LENGTH } from '@dropleaf/contract'
import { useT } from '../../../i18n/use-translation.ts'
import { useLiveForm } from '../../../ui/forms/live-form.ts'
import { type AccountChange, findAccountProblems, NO_CHANGE } from '../models/account-form.ts'

/** Form state for changing the administrator's account, with validation errors. */
export function useAccountForm() {
  const { t } = useT()
  return useLiveForm<AccountChange>({
    initial: NO_CHANGE,
    findProblems: (input) => {
      const problems = findAccountProblems(input)
      return {
        currentPassword: problems.currentPassword && t('account.problems.needCurrent'),
        newPassword:
          problems.newPassword && t('account.problems.tooShort', { count: ADMIN_PASSWORD_MIN_LENGTH }),
        again: problems.again && t('account.problems.different'),
      }
    },
  })
}
