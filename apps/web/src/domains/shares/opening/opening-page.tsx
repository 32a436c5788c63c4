import type { OpeningKind, OpeningState } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconEyeOff, IconHandStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { noteAsked } from './opened-shares.ts'
import {
  type Arrival,
  arrivalQuery,
  type Keys,
  openShare,
  type Opened,
  type OpenedPlace,
} from './opening.api.ts'
import { OpeningForm } from './opening-form.tsx'
import { useNoRobots } from './robots.ts'

export interface OpeningPageProps {
  place: OpenedPlace
  /** The error of the first attempt to show the share. */
  error: unknown
  onOpen: (opened: Opened) => void
  /** Called if the share opens without confirmation, because its owner has changed it. */
  onDirect: () => void
  /** Called if the key or the password of an encrypted share is wrong. The page that shows this one asks for them. */
  onWrongProof?: () => void
  renderFailure: (error: unknown, onRetry: () => void) => ReactNode
}

/**
 * The page of a share that requires confirmation. Loads no contents before the visitor opens the share, unless this
 * browser can reopen it.
 */
export function OpeningPage(props: OpeningPageProps): ReactNode {
  const { place, onOpen, onDirect } = props
  const { t } = useT()
  const arrival = useQuery(arrivalQuery(place))
  const retry = () => void arrival.refetch()
  const show = (opened: Opened) => {
    noteAsked(place)
    onOpen(opened)
  }
  const arrive = useEffectEvent((found: Arrival) => {
    if (found.isOpened) show(found.opened)
    else if (isDirect(found.state)) onDirect()
  })
  useEffect(() => {
    if (arrival.data) arrive(arrival.data)
  }, [arrival.data])
  const open = async (input: Keys & { intent: string }) => {
    try {
      show(await openShare(place, input))
    } catch (error) {
      if (hasCode(error, 'bundle.proof_wrong')) props.onWrongProof?.()
      throw error
    }
  }
  if (arrival.error) return props.renderFailure(arrival.error, retry)
  if (!arrival.data || arrival.data.isOpened || isDirect(arrival.data.state))
    return <SkeletonLines label={t('common.loading')} />
  const { state } = arrival.data
  if (state.ended === null)
    return (
      <Asking
        place={place}
        // The password of an encrypted share is not requested again, because the user has entered it to derive the
        // key.
        state={place.proof === undefined ? state : { ...state, requires_password: false }}
        open={open}
        onStale={retry}
      />
    )
  if (state.opening === 'direct' || state.opened_at === null) return props.renderFailure(props.error, retry)
  return <Ended state={state} openedAt={state.opened_at} />
}

const isDirect = ({ opening, ended }: OpeningState) => opening === 'direct' && ended === null

type AskingProps = Omit<Parameters<typeof OpeningForm>[0], 'onLeave'>

function Asking(props: AskingProps) {
  const { t } = useT()
  const [isLeft, setLeft] = useState(false)
  // The title is empty, so that neither the tab nor the history reveals the share.
  usePageTitle('')
  useNoRobots()
  if (!isLeft) return <OpeningForm {...props} onLeave={() => setLeft(true)} />
  return (
    <PageMessage
      icon={<IconHandStop size={28} aria-hidden />}
      title={t('opening.left')}
      text={t('opening.leftText')}
    >
      <Button variant="default" onClick={() => setLeft(false)}>
        {t('opening.back')}
      </Button>
    </PageMessage>
  )
}

const ENDED = {
  paste: 'opening.endedText',
  file: 'opening.endedFile',
  bundle: 'opening.endedBundle',
} as const satisfies Record<OpeningKind, string>

function Ended({ state, openedAt }: { state: OpeningState; openedAt: string }) {
  const { t, language } = useT()
  usePageTitle('')
  useNoRobots()
  return (
    <PageMessage
      icon={<IconEyeOff size={28} aria-hidden />}
      title={t(ENDED[state.kind])}
      text={t('opening.endedSince', { date: formatDateTime(openedAt, language) })}
    >
      <Button variant="default" renderRoot={(props) => <Link to={paths.home} {...props} />}>
        {t('common.goHome')}
      </Button>
    </PageMessage>
  )
}
