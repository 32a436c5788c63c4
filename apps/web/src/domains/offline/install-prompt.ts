/** The browser's install prompt, which can be used only once. */
export interface InstallPrompt extends Event {
  readonly prompt: () => Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

let waiting: InstallPrompt | null = null

/** Stores the install event early, because the browser can fire the event before the app is rendered. */
export function catchInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    waiting = event as InstallPrompt
  })
  window.addEventListener('appinstalled', () => {
    waiting = null
  })
}

export const peekInstallPrompt = (): InstallPrompt | null => waiting

export function takeInstallPrompt(): InstallPrompt | null {
  const taken = waiting
  waiting = null
  return taken
}
