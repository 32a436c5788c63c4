import type { offline as chinese } from '../zh-CN/offline.ts'

export const offline: typeof chinese = {
  later: 'Later',
  understood: 'Got it',
  install: {
    title: 'Install Dropleaf',
    text: 'Open it from your desktop or home screen. Use it without a network, and receive what other apps share.',
    byHand: 'Tap Share in your browser, then “Add to Home Screen”. It then opens without a network, too.',
    now: 'Install',
  },
  update: {
    title: 'New version available',
    text: 'Updating loads the page again. What you typed is kept.',
    now: 'Update now',
    hereTitle: 'The app was updated',
    hereText:
      'Another tab has updated the app. Reload to use the new version here, too. What you typed is kept.',
  },
  toasts: {
    gone: 'Some features are limited until the network is back',
    back: 'Network restored, syncing',
  },
  shared: {
    taken: 'The shared text is in the editor. The text before it is in the drafts',
    added: 'The shared text was added below yours',
    captionKept: 'The text that came with the files is in the drafts of the home page',
    missed: 'What you shared could not be taken: the app was not ready. Please share it again',
  },
}
