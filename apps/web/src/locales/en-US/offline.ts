import type { offline as chinese } from '../zh-CN/offline.ts'

export const offline: typeof chinese = {
  later: 'Later',
  understood: 'Got it',
  install: {
    title: 'Install Dropleaf',
    text: 'Open it from your desktop or home screen, use it offline, and share to it from other apps.',
    byHand: 'Tap Share in your browser, then “Add to Home Screen”. It then also works offline.',
    now: 'Install',
  },
  update: {
    title: 'New version available',
    text: 'Updating reloads the page. What you typed is kept.',
    now: 'Update now',
    hereTitle: 'The app was updated',
    hereText:
      'Another tab has updated the app. Reload to use the new version here too. What you typed is kept.',
  },
  toasts: {
    gone: 'You’re offline. Some features are limited',
    back: 'Back online, syncing',
  },
  shared: {
    taken: 'The shared text is in the editor. The previous text is in your drafts',
    added: 'The shared text was added below yours',
    captionKept: 'The text that came with the files is in the home page’s drafts',
    missed: 'What you shared could not be received because the app was not ready. Please share it again',
  },
}
