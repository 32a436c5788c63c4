import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { EditorTarget } from '../../../domains/editor/editor-target.ts'
import { takeEarlyText } from '../../../domains/editor/early-field.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { loadWords } from '../../../i18n/i18n.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { keyMap } from '../../../lib/keyboard/key-map.ts'
import { readableKey } from '../../../lib/keyboard/keys.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { useSession } from '../../../domains/session/session.ts'
import { can } from '../../../domains/session/stored-session.ts'
import { OptionsFold } from '../../../domains/shares/fields/options-fold.tsx'
import { setOptionsOpen, useOptionsOpen } from '../../../domains/shares/fields/options-open.ts'
import { areOptionsValid, NO_OPTIONS } from '../../../domains/shares/share-options.ts'
import type { RelativeFiles } from '../../../domains/markdown/render/relative-links.ts'
import { isSessionError } from '../../../domains/session/session-notices.ts'
import { useDraftKey } from '../../../domains/session/session-owner.ts'
import { isTooLargeToShare } from '../../../domains/shares/text-size-limit.ts'
import { useIsBlank } from '../../../domains/editor/document/use-document-text.ts'
import { useLoginResolved } from '../../../domains/session/use-login-resolved.ts'
import { useWork } from '../../../domains/session/use-work.ts'
import { usePendingAction } from '../../../lib/pending-actions.ts'
import { hasKeyboard } from '../../../ui/focus/focus.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { useWrongFields, WrongFieldsBanner } from '../../../ui/forms/wrong-fields.tsx'
import { DraftStatus } from '../components/editor/draft-status.tsx'
import { EditorPane } from '../../../domains/editor/editor-pane.tsx'
import { focusEditor } from '../components/editor/focus-editor.ts'
import { PublishLock } from '../components/editor/publish-lock.tsx'
import { SealedInserts } from '../../../domains/editor/uploads/sealed-inserts.tsx'
import { OptionsForm } from '../components/editor/options-form.tsx'
import { TooLarge } from '../components/editor/too-large-notice.tsx'
import { HOME_DRAFTS, useHomeDraft } from '../components/editor/use-home-draft.ts'
import { type PublishedShare, usePublish } from '../components/editor/use-publish.ts'
import { keepOptions, useKeptOptions } from '../home-options.ts'
import { getHomeBundles, getHomePicks, useHomeBundles } from '../../../domains/bundles/home-bundles.ts'
import { useSealing } from '../../../domains/sealed/policy/use-sealing.ts'
import { useRecentShares } from '../../../domains/shares/recent-shares.ts'
import styles from './home.page.module.css'

/** This component is loaded on demand, because typing does not need it. */
const ResultPanel = lazy(async () => {
  const module = await import('../components/editor/result-panel.tsx')
  return { default: module.ResultPanel }
})
const ShareFormFields = lazy(async () => {
  const parts = [import('../components/editor/share-form.tsx'), loadWords('later')] as const
  const [module] = await Promise.all(parts)
  return { default: module.ShareFormFields }
})
const SealingNotice = lazy(async () => {
  const parts = [import('../../../domains/sealed/policy/sealing-notice.tsx'), loadWords('later')] as const
  const [module] = await Promise.all(parts)
  return { default: module.SealingNotice }
})
const HomeFiles = lazy(async () => {
  const { HomeFiles: files } = await import('../components/home-files/home-files.tsx')
  return { default: files }
})
const RecentShares = lazy(async () => {
  const module = await import('../components/recent-shares.tsx')
  return { default: module.RecentShares }
})

const route = getRouteApi('/')

const FORM_ID = 'share-options'
const FIELDS_ID = 'share-fields'

/** Loads content from another app, if the URL refers to it. */
function useIncomingText({ document, draft, keep, isReady }: ReturnType<typeof useHomeDraft>) {
  const { shared } = route.useSearch()
  const navigate = route.useNavigate()
  const taken = useRef<string | null>(null)
  const take = useEffectEvent(async (id: string) => {
    taken.current = id
    const { takeIncomingText } = await import('../incoming-text.ts')
    await takeIncomingText(id, { document, keep, save: draft.flush })
    await navigate({ search: {}, replace: true })
  })
  useEffect(() => {
    if (shared !== undefined && isReady && taken.current !== shared) take(shared).catch(reportError)
  }, [shared, isReady])
}

/** Takes over the text typed before the app loaded, in the same frame in which the early field is removed. */
function useEarlyText({ document }: ReturnType<typeof useHomeDraft>) {
  useLayoutEffect(() => {
    const early = takeEarlyText()
    if (!early) return
    if (early.text !== '') document.replace(early.text)
    const field = window.document.querySelector<HTMLTextAreaElement>('#content textarea')
    if (!field) return
    field.value = document.read()
    if (!early.selection) return
    field.focus({ preventScroll: true })
    field.setSelectionRange(...early.selection)
  }, [document])
}

/** State and actions of the page. */
function useHome() {
  const session = useSession()
  const text = useHomeDraft()
  useIncomingText(text)
  useEarlyText(text)
  const publishing = usePublish()
  const options = useKeptOptions()
  const sealing = useSealing()
  // The encryption of an unfinished share cannot be switched.
  const begun = useHomeBundles().isOpenSealed
  const [isEmptyRefused, setEmptyRefused] = useState(false)
  const mayPublish = can(session, 'text')
  const isFormValid = areOptionsValid(options)

  const wrong = useWrongFields(FORM_ID, !isFormValid)

  const publish = async () => {
    const hasFiles = getHomePicks().length > 0 || getHomeBundles().openKey !== null
    const isBlank = text.document.isBlank() && !hasFiles
    setEmptyRefused(isBlank)
    if (!mayPublish) return
    if (!isFormValid) wrong.refuse()
    if (isBlank || !isFormValid) return
    const { document, contentType } = text
    // The page already shows a notice about the size.
    const shared = document.read()
    if (isTooLargeToShare(shared)) return
    const hasWorked = await publishing.publish({
      text: shared,
      contentType,
      options,
      hasFiles,
      settleSealing: sealing.settle,
    })
    // Text typed during the upload is not shared yet.
    if (!hasWorked || document.read() !== shared) return
    document.replace('')
    text.draft.clear()
    keepOptions(NO_OPTIONS)
  }
  useWork({ isUnderWay: () => !text.document.isBlank() || options !== NO_OPTIONS, stays: true })
  const isSlugTaken = hasCode(publishing.error, 'paste.slug_taken', 'bundle.slug_taken')
  // A banner already explains that a login is needed.
  const isLocked = isSessionError(publishing.error) && session.kind === 'none'
  const isSaid = useLoginResolved(publishing.error) || isSlugTaken || isLocked
  // A field with an error must be visible.
  const areOptionsOpen = useOptionsOpen() || wrong.isRefused || isSlugTaken
  return {
    session,
    text,
    publishing,
    options,
    keepOptions,
    sealing,
    isSealed: begun ?? sealing.isOn,
    mayPublish,
    wrong,
    areOptionsOpen,
    publish,
    slugError: isSlugTaken ? errorText(publishing.error) : null,
    isEmptyRefused,
    failure: publishing.error !== null && !isSaid ? errorText(publishing.error) : null,
  }
}

export function HomePage(): ReactNode {
  return <Home key={useDraftKey()} />
}

/** The home page. Its state belongs to one user, and survives when a visitor logs in. */
function Home(): ReactNode {
  const { t } = useT()
  const home = useHome()
  const { text, publishing, options } = home
  const [target, setTarget] = useState<EditorTarget | null>(null)
  const [beside, setBeside] = useState<RelativeFiles | null>(null)
  usePageTitle(t('shell.titles.home'))
  usePendingAction('write', focusEditor)
  const discard = () => {
    void text.keep()
    text.document.replace('')
    text.draft.clear()
    text.setRestored(false)
  }
  return (
    <div className={`dl-home ${styles.page}`}>
      <h1 className="dl-sr">{t('home.heading')}</h1>
      {!home.mayPublish && <PublishLock session={home.session} />}
      <SealedInserts isSealed={home.isSealed}>
        <EditorPane
          document={text.document}
          contentType={text.contentType}
          onContentType={text.setContentType}
          onSubmit={() => void home.publish()}
          drafts={HOME_DRAFTS}
          onTarget={setTarget}
          beside={beside}
          status={<DraftStatus isRestored={text.isRestored} hasRoom={text.hasRoom} onDiscard={discard} />}
        />
      </SealedInserts>
      <Suspense fallback={null}>
        <HomeFiles
          target={target}
          isMarkdown={text.contentType === 'text/markdown'}
          options={options}
          mayPublish={home.mayPublish}
          isSealed={home.isSealed}
          settleSealing={home.sealing.settle}
          onRefuse={home.wrong.refuse}
          onRetry={() => void home.publish()}
          onBeside={setBeside}
        />
      </Suspense>
      <TooLarge document={text.document} contentType={text.contentType} remark={options.remark} />
      <WrongFieldsBanner refusals={home.wrong.refusals} />
      <Problem home={home} />
      <Suspense fallback={null}>{home.sealing.isBlocked && <SealingNotice />}</Suspense>
      <div className={styles.waiting} aria-live="polite">
        {publishing.isWaiting && <Banner tone="info">{t('errors.client.queued')}</Banner>}
      </div>
      <Spoken publishing={publishing} />
      <OptionsForm id={FORM_ID} className={styles.form} onSubmit={() => void home.publish()}>
        <PublishRow home={home} />
        <Suspense fallback={null}>
          {home.areOptionsOpen && (
            <ShareFormFields
              id={FIELDS_ID}
              options={options}
              slugError={home.slugError}
              sealing={home.sealing}
              onChange={(next) => {
                home.keepOptions(next)
                if (next.slug !== options.slug) publishing.setError(null)
              }}
            />
          )}
        </Suspense>
      </OptionsForm>
    </div>
  )
}

type Home = ReturnType<typeof useHome>

/** Announces the result to screen readers. The text contains the slug, so that each share is announced. */
function Spoken({ publishing: { result } }: Pick<Home, 'publishing'>) {
  const { t } = useT()
  return <output className="dl-sr">{result && t('home.result.spoken', { slug: result.slug })}</output>
}

/** Shows errors. An empty text is an error until the user types something. */
function Problem({ home }: { home: Home }) {
  const { t } = useT()
  const isBlank = useIsBlank(home.text.document)
  const problem = home.isEmptyRefused && isBlank ? t('home.empty') : home.failure
  return problem && <Banner tone="error">{problem}</Banner>
}

interface ResultProps {
  home: Home
  share: PublishedShare
  takesFocus: () => boolean
  /** Called when a focused button was removed. */
  onLeft: () => void
}

/** Shows the created share. Its text can be restored while the editor is empty. */
function Result({ home, share, takesFocus, onLeft }: ResultProps) {
  const { text, publishing } = home
  const isBlank = useIsBlank(text.document)
  const restore = () => {
    text.document.replace(share.text)
    onLeft()
  }
  return (
    <ResultPanel
      key={share.slug}
      share={share}
      takesFocus={takesFocus}
      onHide={(isByHand) => {
        publishing.setResult(null)
        if (isByHand) onLeft()
      }}
      onRestore={isBlank ? restore : null}
    />
  )
}

function PublishRow({ home }: { home: Home }) {
  const { t } = useT()
  const recent = useRecentShares()
  const [isRecentOpen, setRecentOpen] = useState(false)
  const submit = useRef<HTMLButtonElement>(null)
  const { publishing } = home
  const { result } = publishing
  return (
    <>
      <div className={styles.publish}>
        <Button
          ref={submit}
          type="submit"
          loading={publishing.isBusy}
          disabled={!home.mayPublish || home.sealing.isBlocked}
          title={t('home.shortcut', { key: readableKey(keyMap.editor.submit[0]) })}
        >
          {t('home.submit')}
        </Button>
        <OptionsFold
          options={home.options}
          isSealed={home.isSealed}
          isOpen={home.areOptionsOpen}
          controls={FIELDS_ID}
          onToggle={() => setOptionsOpen(!home.areOptionsOpen)}
        />
        {recent.length > 0 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-md"
            aria-expanded={isRecentOpen}
            onClick={() => setRecentOpen(!isRecentOpen)}
          >
            {isRecentOpen ? t('home.result.hideRecent') : t('home.result.showRecent')}
          </Button>
        )}
      </div>
      <Suspense fallback={null}>
        {result && (
          <Result
            home={home}
            share={result}
            takesFocus={() => hasKeyboard(submit.current)}
            onLeft={() => submit.current?.focus()}
          />
        )}
        {isRecentOpen && recent.length > 0 && <RecentShares shares={recent} />}
      </Suspense>
    </>
  )
}
