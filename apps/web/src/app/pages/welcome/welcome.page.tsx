import type { GuideStep } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { saveGuide, welcomeQueries, type GuideFacts } from '../../../features/welcome/api/welcome.queries.ts'
import styles from '../../../features/welcome/components/guide.module.css'
import { GuideSteps } from '../../../features/welcome/components/guide-steps.tsx'
import {
  guideAt,
  guideLeft,
  isGuideStep,
  stepAfter,
  stepBefore,
  withDone,
} from '../../../features/welcome/models/guide.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { useSession } from '../../../domains/session/session.ts'
import { useWork } from '../../../domains/session/use-work.ts'
import { passFocusToPage } from '../../../ui/focus/focus.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { paths } from '../../../lib/paths.ts'
import { DoneStep } from './done-step.tsx'
import { LanguageStep } from './language-step.tsx'
import { PasswordStep } from './password-step.tsx'
import { ShareStep } from './share-step.tsx'
import { StorageStep } from './storage-step.tsx'

const route = getRouteApi('/admin/welcome')

export interface StepProps {
  readonly facts: GuideFacts
  /** Whether the step takes the focus; true if the step replaces another step. */
  readonly hasFocus: boolean
  /** Marks the step as done, and keeps it open. */
  readonly onDone: () => void
  /** Marks the step as done, and opens the next step. */
  readonly onNext: () => void
  /** Postpones the step. */
  readonly onSkip: () => void
  /** `null` on the first step. */
  readonly onBack: (() => void) | null
}

const STEPS = {
  language: LanguageStep,
  password: PasswordStep,
  storage: StorageStep,
  share: ShareStep,
  done: DoneStep,
}

/** The setup guide of a new server. Users can leave it at any step, and resume it in any browser. */
export function WelcomePage() {
  const { t } = useT()
  const session = useSession()
  usePageTitle(t('welcome.title'))
  const facts = useQuery({ ...welcomeQueries.guide(), enabled: session.kind === 'admin' })
  if (session.kind !== 'admin') return <Navigate to="/admin" search={{ from: paths.welcome }} replace />
  return (
    <div className={styles.guide}>
      {facts.isError && <FailedBanner error={facts.error} onRetry={() => void facts.refetch()} />}
      {facts.isPending && <SkeletonLines label={t('common.loading')} />}
      {facts.data && <Guide facts={facts.data} />}
    </div>
  )
}

function useGuide(facts: GuideFacts) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const navigate = route.useNavigate()
  const asked = route.useSearch().step
  const step: GuideStep = isGuideStep(asked) ? asked : facts.step
  const [hasMoved, setMoved] = useState(false)
  const { queryKey } = welcomeQueries.guide()
  const saving = useMutation({
    mutationFn: saveGuide,
    onMutate: (guide) => queryClient.setQueryData(queryKey, (known) => known && { ...known, ...guide }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['dashboard'] }),
    onError: (error) => notify('error', t('welcome.failed', { reason: errorText(error) })),
  })
  // Records that the guide was shown, so that a login no longer opens it.
  const noteShown = useEffectEvent(() => {
    if (facts.state === 'open') saving.mutate(guideLeft(facts, step))
  })
  useEffect(() => noteShown(), [])
  const finish = (finished: GuideStep) => saving.mutate(withDone(facts, finished))
  const goTo = (next: GuideStep, finished?: GuideStep) => {
    setMoved(true)
    saving.mutate(guideAt(finished === undefined ? facts : withDone(facts, finished), next))
    void navigate({ search: { step: next } })
  }
  const leave = () => {
    saving.mutate(guideLeft(facts, step))
    if (facts.state !== 'done') notify('info', t('welcome.laterNotice'))
    void navigate({ to: '/admin' })
  }
  return { step, hasMoved, finish, goTo, leave }
}

/** The steps that are done. The password step is done once the administrator has changed the password anywhere. */
const doneOf = ({ done, password }: GuideFacts): ReadonlySet<GuideStep> =>
  new Set(password === 'own' ? [...done, 'password'] : done)

function Guide({ facts }: { facts: GuideFacts }) {
  const { t } = useT()
  useWork()
  useEffect(() => passFocusToPage, [])
  const { step, hasMoved, finish, goTo, leave } = useGuide(facts)
  const Step = STEPS[step]
  const before = stepBefore(step)
  return (
    <>
      <header className={styles.head}>
        <h1 className={styles.heading}>{t('welcome.heading')}</h1>
        {step !== 'done' && (
          <Button variant="default" size="compact-md" onClick={leave}>
            {t('welcome.later')}
          </Button>
        )}
        {step === 'language' && <p className={styles.intro}>{t('welcome.intro')}</p>}
      </header>
      <GuideSteps step={step} done={doneOf(facts)} onStep={(next) => goTo(next)} />
      <Step
        key={step}
        facts={facts}
        hasFocus={hasMoved}
        onDone={() => finish(step)}
        onNext={() => goTo(stepAfter(step), step)}
        onSkip={() => goTo(stepAfter(step))}
        onBack={before === null ? null : () => goTo(before)}
      />
    </>
  )
}
